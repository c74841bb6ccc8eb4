import type { Servers } from './bench-environment.ts';
import type { Row } from './row.ts';

export interface SuiteOptions {
  readonly servers: Servers;
  /** Fewer samples: to see whether everything works, not for figures. */
  readonly quick: boolean;
  /** Where CPU profiles of service processes go, if anywhere. */
  readonly profileFolder: string | undefined;
}

/** A group of measurements that share their set-up. */
export type Suite = (options: SuiteOptions) => Promise<readonly Row[]>;
