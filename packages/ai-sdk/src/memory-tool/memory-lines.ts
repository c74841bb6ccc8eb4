import { ConflictError, GoneError, type Memory, NotFoundError, RevisionConflictError } from '@annals/sdk';
import type { ClientWith } from '../client.js';
import { isMemory, type MemoryLine, type RemovedMemory, type StoredLine } from './layout.js';
import type { PlannedLine, Replaced, ShownLine } from './plan-edit.js';

/** Requests that are under way at a time. */
const CONCURRENCY = 8;
/** Corrections of corrections. */
const MAX_SUCCESSORS = 20;

type WrittenMemory = Pick<MemoryLine, 'id' | 'own' | 'revision'>;

/** By its id, what the command has added. */
interface Added {
  readonly revision: number;
  readonly supersedes: boolean;
}

export interface WriteSettings {
  readonly user: string;
  readonly category: string;
}

/** By its id, what the command has corrected. */
interface Corrected {
  readonly before: Memory;
  readonly successor: WrittenMemory;
}

/** A memory that could not be deleted. */
interface Left {
  readonly memory: RemovedMemory;
  readonly error: unknown;
}

/** Somebody has changed a memory between its being read and corrected: the command has to be planned again. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
}

/** The memories behind the lines of one command. It writes each once, also if the command is tried again. */
export class MemoryLines {
  private readonly read = new Map<string, Promise<Memory | undefined>>();
  private readonly added = new Map<string, Added>();
  private readonly corrected = new Map<string, Corrected>();
  private readonly written = new Map<string, Promise<WrittenMemory>>();

  constructor(
    private readonly client: ClientWith<'memories'>,
    private readonly settings: WriteSettings,
  ) {}

  /** Reads anew what the command reads from now on: others may have changed it. */
  refresh(): void {
    this.read.clear();
  }

  /** The lines as they stand now: without those whose memory was forgotten, and with what corrects the others. */
  async show(lines: readonly StoredLine[]): Promise<ShownLine[]> {
    const shown = await mapInTurns(lines, async (line): Promise<ShownLine[]> => {
      if (!isMemory(line)) return [{ text: line, stored: line }];
      const memory = await this.current(line.id);
      if (!memory) return [];
      const { id, revision, sources } = memory;
      const statement = memory.content.replaceAll('\n', ' ');
      const text = `${line.before ?? ''}${statement}${line.after ?? ''}`;
      // What corrects a line was not written with the file, and what a person said as well is theirs.
      const own = line.own && id === line.id && sources.length === 0;
      return [{ text, stored: { ...line, id, own }, statement, revision }];
    });
    return shown.flat();
  }

  /** Writes what is new. If a line is refused, none is written. `before` are the lines of all files until now. */
  async write(planned: readonly PlannedLine[], before: readonly StoredLine[]): Promise<StoredLine[]> {
    const results = await mapInTurns(planned, async (line, index) => {
      if ('keep' in line) return { stored: line.keep };
      try {
        return { stored: { ...(await this.writeOnce(line.write, line.replaces)), ...line.line } };
      } catch (error) {
        if (line.replaces && isChanged(error)) return { changed: error };
        return { refusal: `Line ${index + 1}: ${explain(error)}`, error };
      }
    });
    const changed = results.find((result) => 'changed' in result);
    if (changed) throw new ChangedMeanwhileError('A memory was changed meanwhile.', { cause: changed.changed });
    const refused = results.flatMap((result) => ('refusal' in result ? [result] : []));
    if (refused.length === 0)
      return shareOwn(
        results.flatMap(({ stored }) => stored ?? []),
        before,
      );
    await this.withdraw();
    const reasons = refused.map(({ refusal }) => refusal);
    throw new Error(['Nothing was changed. These lines cannot be remembered:', ...reasons].join('\n'), {
      cause: refused[0]!.error,
    });
  }

  /** Deletes memories whose lines are gone, unless somebody has changed them since. Gives back what is left, and why. */
  async remove(removed: readonly RemovedMemory[]): Promise<Left[]> {
    const left = await mapInTurns(removed, async (memory): Promise<Left[]> => {
      try {
        await this.client.memories.delete(memory.id, { ifMatch: memory.revision });
        return [];
      } catch (error) {
        return isChanged(error) ? [] : [{ memory, error }];
      }
    });
    return left.flat();
  }

  /** What the command has added is in the files now. */
  keep(): void {
    this.added.clear();
  }

  /** Takes back what the command has added, since it failed. What it corrected stays: its line shows it. */
  async withdraw(): Promise<void> {
    const added = [...this.added];
    this.added.clear();
    const { memories } = this.client;
    await Promise.allSettled(
      added.map(([id, { revision, supersedes }]) =>
        // An undo also makes valid again what it superseded.
        supersedes ? memories.undo(id, { ifMatch: revision }) : memories.delete(id, { ifMatch: revision }),
      ),
    );
  }

  private writeOnce(statement: string, replaces: Replaced | undefined): Promise<WrittenMemory> {
    const known = this.written.get(statement);
    if (known) return known;
    const writing = replaces ? this.correct(replaces, statement) : this.create(statement);
    this.written.set(statement, writing);
    writing.catch(() => this.written.delete(statement));
    return writing;
  }

  private async create(content: string): Promise<WrittenMemory> {
    const { user, category } = this.settings;
    const { outcome, memory } = await this.client.memories.create({ user_id: user, content, category });
    const { id, revision } = memory;
    const supersedes = outcome === 'superseded';
    const own = outcome === 'inserted' || supersedes;
    if (own) this.added.set(id, { revision, supersedes });
    return { id, own, revision };
  }

  private async correct({ id, revision, isUnchanged }: Replaced, content: string): Promise<WrittenMemory> {
    const before = await this.current(id);
    const { outcome, memory } = await this.client.memories.update(id, { content }, { ifMatch: revision });
    // A memory that a person pinned is theirs, and so is what takes its place.
    const own = outcome === 'superseded' && isUnchanged;
    const successor = { id: memory.id, own, revision: memory.revision };
    if (before) this.corrected.set(id, { before, successor });
    return successor;
  }

  /** What holds in the place of a memory; nothing if that was forgotten. */
  private async current(id: string, depth = 0): Promise<Memory | undefined> {
    const reading = this.read.get(id) ?? this.client.memories.get(id).catch(ifGone);
    this.read.set(id, reading);
    const memory = await reading;
    // Keys of administrators see what was deleted as well.
    if (memory?.state !== 'active' || depth === MAX_SUCCESSORS) return undefined;
    if (memory.superseded_by === null) return memory;
    const now = await this.current(memory.superseded_by, depth + 1);
    // For another try of the command, its own correction has not happened yet.
    const { before, successor } = this.corrected.get(id) ?? {};
    return now?.id === successor?.id && now?.revision === successor?.revision ? (before ?? now) : now;
  }
}

/** A memory of the files stays theirs whichever of its lines goes first. */
function shareOwn(lines: readonly StoredLine[], before: readonly StoredLine[]): StoredLine[] {
  const own = new Map([...lines, ...before].flatMap((line) => (isMemory(line) && line.own ? [[line.id, line]] : [])));
  return lines.map((line) => {
    const known = isMemory(line) && !line.own ? own.get(line.id) : undefined;
    return isMemory(line) && known ? { ...line, own: true, revision: known.revision } : line;
  });
}

function ifGone(error: unknown): undefined {
  if (error instanceof NotFoundError || error instanceof GoneError) return undefined;
  throw error;
}

function isChanged(error: unknown): boolean {
  if (error instanceof ConflictError) return error.code !== 'idempotency_in_flight';
  return [NotFoundError, GoneError, RevisionConflictError].some((kind) => error instanceof kind);
}

/** What the server says of the line, and not of the request. */
function explain(error: unknown): string {
  const errors = (error as { errors?: readonly { readonly message: string }[] }).errors ?? [];
  return errors.map(({ message }) => message).join(' ') || (error instanceof Error ? error.message : String(error));
}

async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    const turn = items.slice(start, start + CONCURRENCY);
    results.push(...(await Promise.all(turn.map((item, index) => map(item, start + index)))));
  }
  return results;
}
