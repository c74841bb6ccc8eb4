import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The secret key that the embedded profile generated into its data folder. */
export function readStoredSecret(folder: string): string | null {
  const file = join(folder, 'secret.key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
