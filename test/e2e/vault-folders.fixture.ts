import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of a user in the vault, of all tenants. */
export function findVaultFolders(root: string, user: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, name)).map((folder) => join(root, name, folder)))
    .filter((folder) => folder.split('/').at(-1)!.startsWith(`${user}~`));
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
