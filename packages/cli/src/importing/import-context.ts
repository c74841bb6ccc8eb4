import type { Annals } from '@annals/sdk';
import type { ImportCommand } from '../arguments/read-arguments.js';
import type { Input } from '../input/input.js';
import type { Progress } from '../progress/progress.js';
import type { Tally, TallyState } from '../report/tally.js';
import type { ImportState, StateFile } from './state-file.js';

/** What every import works with. */
export interface ImportContext {
  readonly annals: Annals;
  readonly command: ImportCommand;
  readonly input: Input;
  readonly progress: Progress;
  readonly tally: Tally;
  readonly stateFile: StateFile;
  /** Where an interrupted import was; null for one that begins. */
  readonly resumed: ImportState | null;
  /** Epoch ms. */
  readonly now: number;
  readonly pause: (delayMs: number) => Promise<void>;
}

export function showProgress({ progress, tally }: Pick<ImportContext, 'progress' | 'tally'>): void {
  const { counts } = tally;
  progress.show(
    Object.fromEntries(Object.entries(counts).flatMap(([kind, { read }]) => (read > 0 ? [[kind, read]] : []))),
  );
}

/** Written down when a position was reached. Counts are those of the moment. */
export function snapshot(tally: Tally): TallyState {
  return structuredClone(tally.state);
}
