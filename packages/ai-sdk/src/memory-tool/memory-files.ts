import { ConflictError, NotFoundError, ProblemError } from '@annals/sdk';
import type { ClientWith } from '../client.js';
import {
  fromData,
  isMemory,
  isSameLayout,
  type Layout,
  NO_FILES,
  type RemovedMemory,
  type StoredLine,
  toData,
} from './layout.js';
import { ChangedMeanwhileError, MemoryLines, type WriteSettings } from './memory-lines.js';
import { planEdit, type ShownLine } from './plan-edit.js';

export type FilesClient = ClientWith<'memories' | 'checkpoints'>;

export interface FilesSettings extends WriteSettings {
  /** Of the checkpoint with the layout. */
  readonly thread: string;
}

/** What a command makes of the files: their new layout, and what it tells the model. */
export interface Change<Result> {
  readonly files: ReadonlyMap<string, readonly StoredLine[]>;
  /** Lines that are no more; memories that another line still has stay. */
  readonly gone: readonly ShownLine[];
  readonly result: Result;
}

/** More would be as many requests for each command. */
const MAX_STATEMENTS = 200;
const MAX_ATTEMPTS = 10;

/** The files of a user: lines are memories, and their order is a checkpoint that each command saves as a whole. */
export class MemoryFiles {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: FilesClient,
    private readonly settings: FilesSettings,
  ) {}

  async load(): Promise<{ readonly layout: Layout; readonly version: number }> {
    const { user, thread } = this.settings;
    try {
      const { data, version } = await this.client.checkpoints.get(user, thread);
      return { layout: fromData(data, thread), version };
    } catch (error) {
      if (error instanceof NotFoundError) return { layout: NO_FILES, version: 0 };
      throw error;
    }
  }

  lines(): MemoryLines {
    return new MemoryLines(this.client, this.settings);
  }

  /** The commands of this process come one after the other; those of others are seen by the version of the layout. */
  change<Result>(plan: (layout: Layout, lines: MemoryLines) => Promise<Change<Result>>): Promise<Result> {
    const changing = this.last.then(() => this.changeAlone(plan));
    this.last = changing.catch(() => undefined);
    return changing;
  }

  private async changeAlone<Result>(plan: (layout: Layout, lines: MemoryLines) => Promise<Change<Result>>) {
    const lines = this.lines();
    try {
      for (let attempt = 1; ; attempt += 1) {
        const changed = await this.tryOnce(plan, lines).catch((error: unknown) => requireAnother(attempt, error));
        if (!changed) continue;
        lines.keep();
        const [left] = await lines.remove(changed.removed);
        if (left) throw explainLeft(left.error);
        return changed.result;
      }
    } catch (error) {
      await lines.withdraw();
      throw error;
    }
  }

  private async tryOnce<Result>(
    plan: (layout: Layout, lines: MemoryLines) => Promise<Change<Result>>,
    lines: MemoryLines,
  ): Promise<{ readonly result: Result; readonly removed: readonly RemovedMemory[] }> {
    lines.refresh();
    const { layout, version } = await this.load();
    const left = await lines.remove(layout.removed);
    const { files, gone, result } = await plan(layout, lines);
    const removed = listRemoved(files, gone);
    const still = idsOf([...files.values()].flat());
    // What cannot be deleted must not be in the way of a command that has nothing to do with it.
    const later = left.flatMap(({ memory }) => (still.has(memory.id) ? [] : [memory]));
    await this.save({ files, removed: [...later, ...removed] }, version, lines);
    return { result, removed };
  }

  private async requireSaved(layout: Layout, version: number, lines: MemoryLines, error: unknown) {
    const isSaved = await this.isSaved(layout, version).catch(() => undefined);
    if (isSaved) return;
    // The files may have the lines, which would be gone without their memories.
    if (isSaved === undefined) lines.keep();
    throw error;
  }

  /** Also if others have changed the files again since. */
  private async isSaved(layout: Layout, version: number): Promise<boolean> {
    const { user, thread } = this.settings;
    try {
      const { data } = await this.client.checkpoints.get(user, thread, { version });
      return isSameLayout(fromData(data, thread), layout);
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  private async save(layout: Layout, version: number, lines: MemoryLines): Promise<void> {
    const { user, thread } = this.settings;
    try {
      await this.client.checkpoints.put(user, thread, { version, data: toData(layout) });
    } catch (error) {
      if (!isUncertain(error)) throw error;
      await this.requireSaved(layout, version + 1, lines, error);
    }
  }
}

/** Throws what failed, unless somebody else has changed what the command is about. */
function requireAnother(attempt: number, error: unknown): undefined {
  const isOvertaken = error instanceof ConflictError && error.code === 'version_conflict';
  if (!isOvertaken && !(error instanceof ChangedMeanwhileError)) throw error;
  if (attempt < MAX_ATTEMPTS) return undefined;
  throw new Error('The memory files are being changed by others all the time. Try again.', { cause: error });
}

/** Whether the server may have done what it was asked for. */
function isUncertain(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  return error.status >= 500 || error.code === 'idempotency_in_flight';
}

/** Gives a file another text. Memories of lines that stay remain, and those of the others are in `gone`. */
export async function rewrite(
  files: Layout['files'],
  lines: MemoryLines,
  { path, shown, text }: { readonly path: string; readonly shown: readonly ShownLine[]; readonly text: string },
): Promise<Omit<Change<never>, 'result'>> {
  const others = [...files].flatMap(([other, stored]) => (other === path ? [] : stored));
  const plan = planEdit(shown, text, idsOf(others));
  const count = plan.lines.filter((line) => 'write' in line || isMemory(line.keep)).length;
  if (count > MAX_STATEMENTS)
    throw new Error(`The file would have ${count} lines of text. Write at most ${MAX_STATEMENTS}, and use more files.`);
  const written = await lines.write(plan.lines, [...files.values()].flat());
  return { files: new Map(files).set(path, written), gone: plan.removed };
}

/** The layout is saved by then, and names what is left. */
function explainLeft(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(
    `The files were changed, but what was removed from them is remembered until a later command can delete it: ${reason}`,
    { cause: error },
  );
}

function listRemoved(files: Change<unknown>['files'], gone: readonly ShownLine[]): RemovedMemory[] {
  const still = idsOf([...files.values()].flat());
  return gone.flatMap(({ stored, revision }) =>
    isMemory(stored) && stored.own && stored.revision === revision && !still.has(stored.id)
      ? [{ id: stored.id, revision }]
      : [],
  );
}

function idsOf(lines: readonly StoredLine[]): Set<string> {
  return new Set(lines.flatMap((line) => (isMemory(line) ? [line.id] : [])));
}
