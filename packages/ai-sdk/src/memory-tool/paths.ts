export const ROOT = '/memories';
const MAX_LENGTH = 512;
/** What other programs take for `..` or `/`. */
const DISGUISED = /\\|%2e|%2f|%5c/i;

/** The path without `.`, `..` and slashes that say nothing. Throws if it is none below `/memories`. */
export function readPath(path: unknown): string {
  if (typeof path !== 'string' || (path !== ROOT && !path.startsWith(`${ROOT}/`)))
    throw new Error(`Path must start with ${ROOT}, got: ${String(path)}`);
  const names: string[] = [];
  for (const name of path.slice(ROOT.length).split('/')) {
    if (name === '..' && names.pop() === undefined) throw escapes(path);
    if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  if (DISGUISED.test(path)) throw escapes(path);
  if (path.length > MAX_LENGTH) throw new Error(`The path is too long: use at most ${MAX_LENGTH} characters.`);
  if (/\p{Cc}/u.test(path) || !path.isWellFormed())
    throw new Error('The path has characters that no name may have: use letters, digits, "-", "_" and ".".');
  return [ROOT, ...names].join('/');
}

/** Whether `path` is the folder or in it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The folders above a path, without `/memories`. */
export function foldersAbove(path: string): string[] {
  const names = path.slice(ROOT.length + 1).split('/');
  return names.slice(1).map((_name, index) => [ROOT, ...names.slice(0, index + 1)].join('/'));
}

function escapes(path: string): Error {
  return new Error(`Path ${path} would escape ${ROOT} directory`);
}
