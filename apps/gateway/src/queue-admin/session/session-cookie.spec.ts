import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.js';

describe('the session’s cookie', () => {
  it('is found among others, and never half', () => {
    expect(readSessionCookie('a=1; annals_queues=v~1; b=2')).toBe('v~1');
    for (const header of [undefined, '', 'annals_queues', 'annals_queues=', 'xannals_queues=v', 'a=annals_queues=v'])
      expect(readSessionCookie(header)).toBeNull();
  });

  it('is for its path, not for scripts, and for HTTPS only if it was set by it', () => {
    const scope = { path: '/admin/queues', isSecure: false };
    const cookie = 'annals_queues=v; Path=/admin/queues; Max-Age=60; HttpOnly; SameSite=Strict';
    expect(setSessionCookie('v', 60, scope)).toBe(cookie);
    expect(setSessionCookie('v', 60, { ...scope, isSecure: true })).toBe(`${cookie}; Secure`);
    expect(clearSessionCookie(scope)).toMatch(/^annals_queues=; .*Max-Age=0;/);
  });
});
