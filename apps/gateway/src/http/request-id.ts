const SAFE_ID = /^[\w.:-]{8,128}$/;

/** The caller's request id if it is safe to log and to return, else undefined. */
export function parseRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SAFE_ID.test(header) ? header : undefined;
}
