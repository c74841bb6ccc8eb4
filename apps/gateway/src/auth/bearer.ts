// A key is printable ASCII without spaces; 512 is the longest one that can be configured.
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The key of an `Authorization: Bearer` header, or null when there is none. */
export function parseBearer(header: string | undefined): string | null {
  return (header !== undefined && BEARER.exec(header)?.[1]) || null;
}
