const PREFIX = 'ann_';
const KEY_BYTES = 32;

/** The text of a new key: `ann_` and 32 random bytes in base64url. `randomBytes` must be cryptographically strong. */
export function createKeyText(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(KEY_BYTES)).toString('base64url');
}
