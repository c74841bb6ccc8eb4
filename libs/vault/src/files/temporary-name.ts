import { createHash } from 'node:crypto';
import path from 'node:path';

/** How names of files begin that exist only while another file is replaced. */
export const TEMPORARY_PREFIX = '.annals-tmp-';

const NAME_LENGTH = 16;

/**
 * The place beside `place` where its next content is written. One process writes a vault, so it needs no chance: what a
 * killed process left there is overwritten by the next one.
 */
export function temporaryPlace(place: string, role: 'next' | 'replaced'): string {
  // Of the name's hash, since a name may already have the greatest length that the file system allows.
  const name = createHash('sha256').update(path.basename(place)).digest('hex').slice(0, NAME_LENGTH);
  return path.join(path.dirname(place), `${TEMPORARY_PREFIX}${name}-${role}`);
}
