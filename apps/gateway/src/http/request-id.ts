const SANE = /^[\w.:-]{8,128}$/;

/** The caller's own request id when it is harmless to log and echo, else undefined. */
export function parseRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE.test(header) ? header : undefined;
}
