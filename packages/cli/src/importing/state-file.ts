import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { TallyState } from '../report/tally.js';

const VERSION = 1;

/** How every state begins, also one of another version. */
export const STATE_SIGN = /^\{"version":\d+,"key":"/;

/** What is written before it takes the place of the state. */
export const temporaryOf = (state: string) => `${state}.tmp`;

/** How far an import is. It only saves work: whatever is sent twice is taken once. */
export interface ImportState {
  readonly pass: number;
  /** Items of the pass that are done. */
  readonly position: number;
  readonly tally: TallyState;
  /** Batches that were posted, and of which nothing is known yet. */
  readonly batches: readonly string[];
  /** Ids of memories that stand for others. */
  readonly standIns: readonly (readonly [id: string, standsIn: string])[];
  /** References of earlier passes that are to be resolved. */
  readonly pending: number;
}

export interface StateKey {
  readonly fingerprint: string;
  readonly url: string;
  readonly apiKey: string;
  readonly user: string;
  readonly format: string;
  readonly options: string;
}

/** A state is only gone on with by the same command on the same file. */
export class StateFile {
  private readonly key: string;

  constructor(
    private readonly path: string,
    key: StateKey,
  ) {
    // Hashed, so that the file tells neither the key nor the user.
    this.key = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  }

  async read(): Promise<ImportState | null> {
    const text = await readFile(this.path, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      const { version, key, ...state } = JSON.parse(text) as { version: number; key: string } & ImportState;
      return version === VERSION && key === this.key ? state : null;
    } catch {
      return null;
    }
  }

  /** False where nothing can be written; then the import begins anew when it is interrupted. */
  async write(state: ImportState): Promise<boolean> {
    const temporary = temporaryOf(this.path);
    try {
      await writeFile(temporary, JSON.stringify({ version: VERSION, key: this.key, ...state }));
      await rename(temporary, this.path);
      return true;
    } catch {
      return false;
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => undefined);
  }
}
