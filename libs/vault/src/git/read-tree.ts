import type { Git, GitRun } from './git.js';

/** The ids of the texts of a commit, by path. `options`: of the run of Git. */
export async function readTree(git: Git, commit: string, options: GitRun = {}): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stream(['ls-tree', '-r', '-z', '--full-tree', commit], options)) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0) + 1;
    rest = bytes.subarray(end);
    for (const line of bytes.toString('utf8', 0, end).split('\0').filter(Boolean)) {
      const tab = line.indexOf('\t');
      files.set(line.slice(tab + 1), line.slice(0, tab).split(' ')[2]!);
    }
  }
  return files;
}
