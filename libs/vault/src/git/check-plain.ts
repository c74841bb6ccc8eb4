import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../unavailable.js';
import { NO_REGULAR_FILE, unsupported } from './git-error.js';
import { BRANCH_REF, gitPath, isThere, readIfThere } from './git-folder.js';

/** Of `.git`, what Git reads and writes: with a link there, forgetting would change or miss files of another place. */
const FILES = ['HEAD', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow'];
const FOLDERS = ['info', 'logs', 'objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads'];
/** Folders of which every entry is one of these two; the last ones with all that is below. */
const LISTED = ['info', 'objects', 'objects/info', 'objects/pack'];
const LISTED_WHOLE = ['logs', 'refs'];

/** Of the configuration, outside of its comments. */
const OTHER_IDS = /^[^#;\n]*\bobjectformat\s*=\s*"?sha256\b/im;
/** Of a ref. */
const OTHER_ID = /^[0-9a-f]{64}\b/m;

/**
 * Refuses what the vault cannot keep or forget in: a repository whose parts are in another place, are links or devices, or
 * are in another format than Git's first one. Opens nothing that could make it wait.
 * @throws {GitError} `unsupported`
 */
export async function checkIsPlain(folder: string): Promise<void> {
  const git = gitPath(folder);
  const found = await lstat(git).catch(ignoreMissing);
  if (!found) return;
  if (!found.isDirectory()) throw unsupported(git, 'is no folder');
  await checkKinds(folder);
  const [commonDir, tables, others] = await Promise.all([
    isThere(gitPath(folder, 'commondir')),
    isThere(gitPath(folder, 'reftable')),
    findOthers(folder),
  ]);
  if (commonDir) throw unsupported(git, 'belongs to a linked work tree');
  if (tables) throw unsupported(git, 'keeps its branches in the format reftable');
  if (others.length > 0) throw unsupported(others[0]!, NO_REGULAR_FILE);
  await checkFormat(folder);
}

async function checkKinds(folder: string): Promise<void> {
  const readKind = async (name: string) => ({ name, found: await lstat(gitPath(folder, name)).catch(ignoreMissing) });
  const [files, folders] = await Promise.all([
    Promise.all(FILES.map((name) => readKind(name))),
    Promise.all(FOLDERS.map((name) => readKind(name))),
  ]);
  // The folders first: what lies in one that is a link says nothing.
  for (const { name, found } of folders)
    if (found && !found.isDirectory()) throw unsupported(gitPath(folder, name), 'is a link or no folder');
  for (const { name, found } of files)
    if (found && !found.isFile()) throw unsupported(gitPath(folder, name), NO_REGULAR_FILE);
}

/** What is neither a file nor a folder. */
async function findOthers(folder: string): Promise<string[]> {
  const listed = [
    ...LISTED.map((name) => ({ name, recursive: false })),
    ...LISTED_WHOLE.map((name) => ({ name, recursive: true })),
  ];
  const entries = await Promise.all(
    listed.map(({ name, recursive }) =>
      readdir(gitPath(folder, name), { recursive, withFileTypes: true }).catch(ignoreMissing),
    ),
  );
  const others = entries.flatMap((found) => found ?? []).filter((entry) => !entry.isFile() && !entry.isDirectory());
  return others.map((entry) => path.join(entry.parentPath, entry.name));
}

async function checkFormat(folder: string): Promise<void> {
  const [config, ...refs] = await Promise.all(
    ['config', 'HEAD', BRANCH_REF, 'packed-refs'].map((name) => readIfThere(gitPath(folder, name))),
  );
  const isOther =
    OTHER_IDS.test(config?.toString('latin1') ?? '') ||
    refs.some((ref) => OTHER_ID.test(ref?.toString('latin1') ?? ''));
  if (isOther) throw unsupported(gitPath(folder), 'has SHA-256 ids');
}

// A file in the place of a folder above it is found by its own check.
function ignoreMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(readErrorCode(error) ?? '')) throw error;
}
