import type { Git } from './git.js';

/** Paths that a commit of anybody else than `author` (`Name <address>`) ever changed, in the history of `head`. */
export async function listForeignPaths(git: Git, head: string, author: string): Promise<Set<string>> {
  const log = await git.text(['log', '--format=%H%x00%an <%ae>%x00%cn <%ce>', head]);
  const ids = log.split('\n').flatMap((line) => {
    const [id = '', ...people] = line.split('\0');
    return people.every((person) => person === author) ? [] : [id];
  });
  if (ids.length === 0) return new Set();
  const input = [Buffer.from(`${ids.join('\n')}\n`)];
  // Of a merge, what differs from any of its parents.
  const args = ['diff-tree', '--no-commit-id', '--name-only', '-r', '-m', '--root', '-z', '--stdin'];
  return new Set((await git.run(args, { input })).toString('utf8').split('\0').filter(Boolean));
}
