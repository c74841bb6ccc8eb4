import type { Servers } from './bench-environment.ts';
import type { Row } from './row.ts';

export interface SuiteOptions {
  readonly servers: Servers;
  /** Fewer samples: only to check that everything works. */
  readonly quick: boolean;
  /** Folder for CPU profiles of service processes; undefined: no profiles. */
  readonly profileFolder: string | undefined;
}

/** A group of measurements that share their set-up. */
export type Suite = (options: SuiteOptions) => Promise<readonly Row[]>;
