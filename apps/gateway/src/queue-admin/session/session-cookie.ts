const NAME = 'annals_queues';

interface CookieScope {
  readonly path: string;
  /** Whether the request came by HTTPS, so that the cookie may travel by it only. */
  readonly isSecure: boolean;
}

/** `Strict`: not sent with any request that another site causes. `HttpOnly`: no script can read it. */
export function setSessionCookie(value: string, maxAgeSeconds: number, { path, isSecure }: CookieScope): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearSessionCookie(scope: CookieScope): string {
  return setSessionCookie('', 0, scope);
}

/** The value of the session's cookie in a `Cookie` header; null when there is none. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const part of (header ?? '').split(';')) {
    const [name, value] = part.trim().split('=', 2);
    if (name === NAME && value) return value;
  }
  return null;
}
