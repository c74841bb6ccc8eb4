import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of this origin caused a request. Browsers say so by `Sec-Fetch-Site`, which no page can set; where they
 * do not (plain HTTP on another host than localhost), by `Origin`. A request with neither is refused too: it comes from
 * no page. `host` is the one that was asked for, with its port.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin !== undefined && hostOf(headers.origin) === host.toLowerCase();
}

/** Null for `null`, which a page without an origin sends. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
