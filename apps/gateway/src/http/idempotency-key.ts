import { invalidFields } from './parse-part.js';

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;

/** The `Idempotency-Key` of a request, or null. Throws `validation_failed` for one that is not 1–200 printable ASCII. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw invalidFields([
    { path: 'headers.idempotency-key', message: 'Send one key of 1 to 200 printable ASCII characters.' },
  ]);
}
