import { createHmac, type KeyObject } from 'node:crypto';
import type { PiiType } from './pii-types.js';

/** 64 bits: among a million values of a tenant, two meet with a probability of 3 in 10^8. */
const PSEUDONYM_DIGITS = 16;
/** 128 bits: an id that met another would join the memories of two people. */
const ID_DIGITS = 32;
const HASHED_ID = new RegExp(`^id-[0-9a-f]{${ID_DIGITS}}$`);

/**
 * The pseudonyms of a tenant, whose key it takes (docs/reference/privacy.md#placeholders): for a type and a value as
 * `normalizePii` gives it, 16 lower-case hex digits of their HMAC-SHA-256. At least one of them is a letter, so that
 * nothing takes a pseudonym for a number.
 */
export function createPseudonyms(key: KeyObject): (type: PiiType, normalized: string) => string {
  return (type, normalized) => {
    let digest = createHmac('sha256', key).update(`${type}\n${normalized}`).digest('hex');
    while (!/[a-f]/.test(digest.slice(0, PSEUDONYM_DIGITS))) {
      digest = createHmac('sha256', key).update(digest).digest('hex');
    }
    return digest.slice(0, PSEUDONYM_DIGITS);
  };
}

/** The pseudonym of a caller's id as a whole: `id-` and 32 hex digits. One that was hashed before stays the same. */
export function hashId(key: KeyObject, id: string): string {
  if (HASHED_ID.test(id)) return id;
  return `id-${createHmac('sha256', key).update(`ID\n${id}`).digest('hex').slice(0, ID_DIGITS)}`;
}
