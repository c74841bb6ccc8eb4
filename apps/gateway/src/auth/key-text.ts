const PREFIX = 'ann_';
const KEY_BYTES = 32;

/** The text of a new key: `ann_` and 32 random bytes in base64url. `randomBytes` must be cryptographically strong. */
export function createKeyText(randomBytes: (size: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(KEY_BYTES)).toString('base64url');
}

// A key is printable ASCII without spaces; 512 characters is the maximum length of a configured key.
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The key of an `Authorization: Bearer` header, or null when there is none. */
export function parseBearer(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
