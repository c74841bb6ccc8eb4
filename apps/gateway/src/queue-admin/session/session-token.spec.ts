import { formTokenOf, isEqual, openSession, type OperatorSession, sealSession } from './session-token.js';

const SECRET = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const NOW = Date.UTC(2026, 0, 5);
const SESSION: OperatorSession = { id: 'a-b_c', keyId: 'k', tenantId: null, expiresAt: NOW + 1 };

describe('the cookie of a session', () => {
  it.each([SESSION, { ...SESSION, tenantId: 't' }])('says what was sealed: %o', (session) => {
    const sealed = sealSession(session, SECRET);
    expect(openSession(sealed, SECRET, NOW)).toEqual(session);
    expect(sealed).toMatch(/^[\w~-]+$/);
  });

  it('says nothing with another secret, after its time, or once a character was changed', () => {
    const sealed = sealSession(SESSION, SECRET);
    expect(openSession(sealed, OTHER, NOW)).toBeNull();
    expect(openSession(sealed, SECRET, SESSION.expiresAt)).toBeNull();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'x' ? 'y' : 'x'}${sealed.slice(at + 1)}`;
      expect(openSession(changed, SECRET, NOW)).toBeNull();
    }
    for (const text of ['', '~', '~~~~', sealed.slice(0, -1), `${sealed}x`])
      expect(openSession(text, SECRET, NOW)).toBeNull();
  });

  it('is no token of a form, and a token no signature of a cookie', () => {
    const token = formTokenOf(SESSION, SECRET);
    expect(token).not.toBe(formTokenOf({ id: 'other' }, SECRET));
    expect(token).not.toBe(formTokenOf(SESSION, OTHER));
    expect(openSession(`${SESSION.id}~${token}`, SECRET, NOW)).toBeNull();
    expect([isEqual(token, token), isEqual('', token), isEqual(`${token}x`, token)]).toEqual([true, false, false]);
  });
});
