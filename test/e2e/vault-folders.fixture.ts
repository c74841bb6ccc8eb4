import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of a user in the vault, of all tenants. */
export function findVaultFolders(root: string, user: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, name)).map((folder) => join(root, name, folder)))
    .filter((folder) => folder.split('/').at(-1)!.startsWith(`${user}~`));
}

/** Files of entries in a user's folder, by path. What is being replaced or moved meanwhile is left out. */
export function readEntries(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.startsWith('entries/') && path.endsWith('.md'))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(folder, path), 'utf8') }];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
}

/** Git as Mara runs it in a folder. Throws when it ends with an error. */
export function runMarasGit(folder: string, ...args: string[]): string {
  const settings = ['-c', 'safe.directory=*', '-c', 'user.name=Mara', '-c', 'user.email=m@example.com'];
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
