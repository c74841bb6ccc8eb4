import { invalidFields } from './parse-part.js';

const ETAG = /^"(\d{1,9})"$/;

/**
 * The revision that `If-Match` names, or null when any will do: without the header, or with `*`. Throws
 * `validation_failed` for what is no ETag of ours; a weak one never matches (RFC 9110 §13.1.1), so it is refused too.
 */
export function parseIfMatch(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const [, revision] = (typeof header === 'string' && ETAG.exec(header)) || [];
  if (revision !== undefined) return Number(revision);
  throw invalidFields([
    { path: 'headers.if-match', message: 'Send the ETag as it was given, one revision in quotes, for example "3".' },
  ]);
}

/** The header that tells of a revision. */
export function etagOf({ revision }: { readonly revision: number }): { readonly etag: string } {
  return { etag: `"${revision}"` };
}
