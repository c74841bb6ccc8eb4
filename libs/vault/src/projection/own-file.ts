import { join } from 'node:path';
import { writeFileAtomically } from '../files/write-file.js';
import { VaultUnavailableError } from '../unavailable.js';

/**
 * Writes a file that only Annals has, as its state, whatever is in it.
 * @throws VaultUnavailableError also when something else than a file is in its place
 */
export async function writeOwnFile(folder: string, path: string, text: string): Promise<void> {
  const { outcome } = await writeFileAtomically(folder, path, text);
  if (outcome !== 'written') throw new VaultUnavailableError('EEXIST', join(folder, path));
}
