import { gitBlobId } from '@annals/domain';
import { mapFiles } from '../files/batches.js';
import { FolderGuard } from '../files/folder-guard.js';
import { type BytesResult, readBytes } from '../files/read-file.js';
import type { Git } from './git.js';
import { BRANCH_REF, gitPath, isThere, NEXT_REF } from './git-folder.js';
import { quotePath } from './quote-path.js';

export interface VaultChange {
  /** In the folder, parts separated by `/`. */
  readonly path: string;
  /** `put` records the file as it is now, and its absence as a removal. */
  readonly action: 'put' | 'remove';
  /** The SHA-1 id of what is to be recorded: when the file is something else by now, nothing is. Default: whatever is there. */
  readonly blob?: string;
}

export interface CommitRequest {
  readonly changes: readonly VaultChange[];
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** What a commit holds for a path: the id of its text, or `null` for none. */
type RecordedPaths = Map<string, string | null>;

/** Files that are read at a time while Git takes those before. */
const BATCH = 64;
/** What a person puts into a vault beside its files, as a picture, is recorded up to 16 MiB. */
const MAX_COMMITTED_BYTES = 16 * 1024 * 1024;
const MS_PER_SECOND = 1_000;
const FILE_MODE = '100644';
/** Stands for no object. */
const NO_ID = '0'.repeat(40);

/**
 * Records these paths on top of `head` and moves the branch, in this order: objects, the person's index, the branch. A
 * process killed between two of these has the old branch, and at worst a file that is staged as it is in the folder.
 * Returns the new commit, or `null` when nothing differs.
 * @throws {GitError} `moved` when the branch got another commit meanwhile, `locked` when the index is held
 */
export async function commitChanges(git: Git, head: string | null, request: CommitRequest): Promise<string | null> {
  const recorded: RecordedPaths = new Map();
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'];
  const commit = await git.text(args, { input: writeCommit(git.folder, head, request, recorded) });
  const trees = await git.text(['rev-parse', `${commit}^{tree}`, ...(head === null ? [] : [`${head}^{tree}`])]);
  const [tree, before = await git.text(['hash-object', '-t', 'tree', '--stdin'])] = trees.split('\n');
  const isEmpty = tree === before;
  if (!isEmpty) await stageRecorded(git, head, recorded);
  const moves = isEmpty ? [] : [`update ${BRANCH_REF} ${commit} ${head ?? NO_ID}`];
  await updateRefs(git, [...moves, `delete ${NEXT_REF}`]);
  return isEmpty ? null : commit;
}

/** All of these changes of refs or, when one is refused, none. */
export async function updateRefs(git: Git, lines: readonly string[]): Promise<void> {
  const input = ['start', ...lines, 'prepare', 'commit'].map((line) => Buffer.from(`${line}\n`));
  await git.run(['update-ref', '-m', 'annals', '--no-deref', '--stdin'], { input });
}

async function* writeCommit(
  folder: string,
  head: string | null,
  request: CommitRequest,
  recorded: RecordedPaths,
): AsyncGenerator<Buffer, void> {
  yield Buffer.from(writeHeader(head, request));
  const changes = [...new Map(request.changes.map((change) => [change.path, change])).values()];
  const guard = new FolderGuard(folder);
  for (let start = 0; start < changes.length; start += BATCH) {
    const batch = changes.slice(start, start + BATCH);
    const found = await mapFiles(folder, batch, async ({ path, action }): Promise<BytesResult> => {
      guard.resolve(path);
      return action === 'put' ? readBytes(guard, path, MAX_COMMITTED_BYTES) : { outcome: 'missing' };
    });
    const lines = batch.map((change, index) => writeChange(change, found[index]!, recorded));
    yield Buffer.concat(lines);
  }
  yield Buffer.from('\nget-mark :1\ndone\n');
}

function writeHeader(head: string | null, { author, at, message }: CommitRequest): string {
  const seconds = Math.floor(at / MS_PER_SECOND);
  const person = `${cleanName(author.name)} <${cleanName(author.email)}> ${seconds} +0000`;
  return [
    'feature done',
    `commit ${NEXT_REF}`,
    'mark :1',
    `author ${person}`,
    `committer ${person}`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...(head === null ? [] : [`from ${head}`]),
    '',
  ].join('\n');
}

// Characters that end a name or an address in a commit.
function cleanName(name: string): string {
  return name.replaceAll(/[<>\n\r\0]/g, ' ').trim();
}

function writeChange({ path, blob }: VaultChange, found: BytesResult, recorded: RecordedPaths): Buffer {
  // Written to at this moment, or too large: recorded by a later commit, which its change will ask for, or never.
  if (found.outcome === 'changing' || found.outcome === 'too_large') return Buffer.alloc(0);
  if (found.outcome !== 'read') {
    recorded.set(path, null);
    return Buffer.from(`D ${quotePath(path)}\n`);
  }
  // Somebody changed it since: that is theirs, and not what the caller wrote.
  const id = gitBlobId(found.bytes);
  if (blob !== undefined && id !== blob) return Buffer.alloc(0);
  recorded.set(path, id);
  const header = `M ${FILE_MODE} inline ${quotePath(path)}\ndata ${found.bytes.length}\n`;
  return Buffer.concat([Buffer.from(header), found.bytes, Buffer.from('\n')]);
}

/** Brings these paths of the person's index up to date; what else is staged there stays. */
async function stageRecorded(git: Git, head: string | null, recorded: RecordedPaths): Promise<void> {
  if (head !== null && !(await isThere(gitPath(git.folder, 'index')))) await git.run(['read-tree', head]);
  const lines = [...recorded].map(([path, id]) =>
    Buffer.from(id === null ? `0 ${NO_ID}\t${path}\0` : `${FILE_MODE} ${id} 0\t${path}\0`),
  );
  await git.run(['update-index', '-z', '--index-info'], { input: [Buffer.concat(lines)] });
}
