// A key is printable ASCII without spaces; 512 characters is the maximum length of a configured key.
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The key of an `Authorization: Bearer` header, or null when there is none. */
export function parseBearer(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
