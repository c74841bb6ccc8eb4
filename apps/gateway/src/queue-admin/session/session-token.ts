import { createHmac, timingSafeEqual } from 'node:crypto';

/** Who is logged in to the queue UI, and until when. */
export interface OperatorSession {
  /** Random, so that no two sessions have the same tokens. */
  readonly id: string;
  readonly keyId: string;
  /** Null for an operator's key that belongs to no tenant. */
  readonly tenantId: string | null;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** The value of the cookie: what the session says, and its signature. */
export function sealSession({ id, keyId, tenantId, expiresAt }: OperatorSession, secret: Buffer): string {
  const payload = [id, keyId, tenantId ?? '', expiresAt].join('~');
  return `${payload}~${sign(secret, 'session', payload)}`;
}

/** The session of a cookie; null when it was not sealed with this secret, was changed, or has expired. */
export function openSession(sealed: string, secret: Buffer, now: number): OperatorSession | null {
  const end = sealed.lastIndexOf('~');
  const payload = sealed.slice(0, Math.max(0, end));
  if (!isEqual(sealed.slice(end + 1), sign(secret, 'session', payload))) return null;
  const [id = '', keyId = '', tenantId, expiresAt] = payload.split('~');
  const session = { id, keyId, tenantId: tenantId === '' ? null : tenantId!, expiresAt: Number(expiresAt) };
  return session.expiresAt > now ? session : null;
}

/** What every form of the session's pages contains. Another site can neither read nor compute it. */
export function formTokenOf({ id }: Pick<OperatorSession, 'id'>, secret: Buffer): string {
  return sign(secret, 'form', id);
}

/** Compares without telling by its duration how much of the text is right. */
export function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function sign(secret: Buffer, purpose: 'session' | 'form', text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n`).update(text).digest('base64url');
}
