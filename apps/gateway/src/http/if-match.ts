import { invalidFields } from './parse-part.js';

const ETAG = /^"(\d{1,9})"$/;

/**
 * The revision in `If-Match`, or null when any revision matches: without the header, or with `*`. Throws
 * `validation_failed` for anything but one ETag of this API. A weak one never matches (RFC 9110 §13.1.1), so it is
 * refused too.
 */
export function parseIfMatch(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const [, revision] = (typeof header === 'string' && ETAG.exec(header)) || [];
  if (revision !== undefined) return Number(revision);
  throw invalidFields([
    {
      path: 'headers.if-match',
      message: 'Send one ETag as a response returned it: a revision in quotes, such as "3".',
    },
  ]);
}

/** The ETag header of a revision. */
export function etagOf({ revision }: { readonly revision: number }): { readonly etag: string } {
  return { etag: `"${revision}"` };
}
