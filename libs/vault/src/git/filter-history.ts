import { ByteReader } from './byte-reader.js';
import { NEXT_REF } from './git-folder.js';
import { unquotePath } from './quote-path.js';

export interface HistoryFilter {
  /** Whether this path stays in history at all. */
  readonly keep: (path: string) => boolean;
  /**
   * Whether this version of a path that stays does; `id` is that of its blob, `author` who made the commit, as `Name <address>`.
   * Default: all do.
   */
  readonly keepsBlob?: (path: string, id: string, author: string) => boolean;
}

/** What became of every commit of the history, by its former id: its mark in the new stream, or `null` for nothing. */
export type CommitFates = Map<string, number | null>;

interface Commit {
  readonly mark: number;
  readonly originalId: string;
  /** Author, committer and encoding. */
  readonly header: readonly Buffer[];
  readonly message: Buffer;
  /** Marks, the first one being that which `changes` are relative to. */
  readonly parents: readonly number[];
  readonly changes: readonly Buffer[];
}

/**
 * Reads what `git fast-export --no-data` writes and yields what `git fast-import` makes the same history of, without the
 * paths and versions that `filter` does not keep, and without the commits that changed nothing else. All commits go to
 * one ref, so the branches stay until their new commits are known. `fates` is filled as it goes.
 */
export class FilteredHistory {
  readonly fates: CommitFates = new Map();
  /** Commits of the new history. */
  commits = 0;
  /** Commits that are gone. */
  dropped = 0;

  /** By mark of the former history: that of the commit which stands for it. */
  private readonly standIns = new Map<number, number | null>();
  /** Paths that the last commit has; those of a branch beside it may differ, at the cost of an empty commit. */
  private readonly present = new Set<string>();

  constructor(private readonly filter: HistoryFilter) {}

  async *rewrite(exported: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const reader = new ByteReader(exported);
    yield Buffer.from('feature done\n');
    for (;;) {
      const line = await reader.readLine();
      if (line === null || line.equals(DONE)) break;
      if (startsWith(line, 'commit ')) yield* this.rewriteCommit(await readCommit(reader));
      // Of a tag: its message must not be taken for commands.
      else if (startsWith(line, 'data ')) await reader.readBytes(readLength(line));
    }
    yield Buffer.from('done\n');
  }

  private *rewriteCommit(commit: Commit): Generator<Buffer, void> {
    const parents = commit.parents.map((mark) => this.standIns.get(mark) ?? null);
    const kept = [...new Set(parents.filter((mark) => mark !== null))];
    const changes = this.filterChanges(commit.changes, readAuthor(commit.header));
    const isEmptied = changes.length === 0 && commit.changes.length > 0;
    const standsFor = isEmptied && kept.length < 2 ? (kept[0] ?? null) : commit.mark;
    this.standIns.set(commit.mark, standsFor);
    this.fates.set(commit.originalId, standsFor);
    if (standsFor !== commit.mark) {
      this.dropped += 1;
      return;
    }
    this.commits += 1;
    // Without a parent, a commit would continue the one before it.
    if (kept.length === 0) yield Buffer.from(`reset ${NEXT_REF}\n\n`);
    const lines = [Buffer.from(`commit ${NEXT_REF}\nmark :${commit.mark}`), ...commit.header];
    yield Buffer.from(`${lines.map((line) => line.toString('latin1')).join('\n')}\n`, 'latin1');
    yield Buffer.concat([Buffer.from(`data ${commit.message.length}\n`), commit.message, Buffer.from('\n')]);
    yield Buffer.from(kept.map((mark, index) => `${index === 0 ? 'from' : 'merge'} :${mark}\n`).join(''));
    // Nothing is left of the first parent: the changes list all files, and are not relative to the second one.
    if (kept.length > 0 && parents[0] === null) yield Buffer.from('deleteall\n');
    yield Buffer.concat([...changes.flatMap((line) => [line, NEWLINE]), NEWLINE]);
  }

  private filterChanges(changes: readonly Buffer[], author: string): Buffer[] {
    return changes.flatMap((line) => {
      const change = readChange(line);
      const path = unquotePath(change.quoted).toString('utf8');
      if (!this.filter.keep(path)) return [];
      if (change.id === null) {
        this.present.delete(path);
        return [line];
      }
      if (this.filter.keepsBlob?.(path, change.id, author) ?? true) {
        this.present.add(path);
        return [line];
      }
      return this.present.delete(path) ? [Buffer.concat([Buffer.from('D '), change.quoted])] : [];
    });
  }
}

const DONE = Buffer.from('done');
const NEWLINE = Buffer.from('\n');

async function readCommit(reader: ByteReader): Promise<Commit> {
  const found = { mark: 0, originalId: '', header: [] as Buffer[], parents: [] as number[], changes: [] as Buffer[] };
  let message: Buffer = Buffer.alloc(0);
  for (let line = await reader.readLine(); line !== null && line.length > 0; line = await reader.readLine()) {
    if (startsWith(line, 'mark :')) found.mark = readNumberAfter(line, ':');
    else if (startsWith(line, 'original-oid ')) found.originalId = line.toString('latin1').split(' ')[1]!;
    else if (startsWith(line, 'data ')) message = Buffer.from(await reader.readBytes(readLength(line)));
    else if (startsWith(line, 'from :') || startsWith(line, 'merge :')) found.parents.push(readNumberAfter(line, ':'));
    else if (startsWith(line, 'M ') || startsWith(line, 'D ')) found.changes.push(Buffer.from(line));
    else if (isHeader(line)) found.header.push(Buffer.from(line));
    // A signature, which the new commit does not have.
    else if (startsWith(line, 'gpgsig ')) await reader.readBytes(readLength((await reader.readLine())!));
    // Every other line would be lost from the new history.
    else throw new Error('git fast-export wrote a line that is not known here. Use a version of Git that is.');
  }
  return { ...found, message };
}

/** Without the time; empty when two people are named, as whoever committed the work of another does. */
function readAuthor(header: readonly Buffer[]): string {
  const people = header.flatMap((line) => /^(?:author|committer) (.*>) /.exec(line.toString('utf8'))?.[1] ?? []);
  return new Set(people).size === 1 ? people[0]! : '';
}

const HEADERS = ['author ', 'committer ', 'encoding '];

function isHeader(line: Buffer): boolean {
  return HEADERS.some((header) => startsWith(line, header));
}

function readChange(line: Buffer): { readonly id: string | null; readonly quoted: Buffer } {
  const text = line.toString('latin1');
  if (text.startsWith('D ')) return { id: null, quoted: line.subarray(2) };
  const [action, mode, id] = text.split(' ', 3) as [string, string, string];
  return { id, quoted: line.subarray(action.length + mode.length + id.length + 3) };
}

function startsWith(line: Buffer, start: string): boolean {
  return line.length >= start.length && line.toString('latin1', 0, start.length) === start;
}

function readLength(line: Buffer): number {
  return readNumberAfter(line, ' ');
}

function readNumberAfter(line: Buffer, separator: string): number {
  return Number(line.toString('latin1').split(separator)[1]);
}
