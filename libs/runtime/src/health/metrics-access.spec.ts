import { refuseOnMetricsPort, refuseOnServicePort } from './metrics-access.js';

const TOKEN = 'a-token-of-the-operator';
const host = '127.0.0.1';

describe('/metrics on the port of the service', () => {
  it('is not served unless a token is set, nor when it has a port of its own', () => {
    for (const access of [{ host }, { host, port: 9464 }, { host, port: 9464, token: TOKEN }]) {
      expect(refuseOnServicePort(access, `Bearer ${TOKEN}`)).toBe('not_served');
    }
  });

  it.each([undefined, '', TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`])(
    'is refused to %j',
    (authorization) => {
      expect(refuseOnServicePort({ host, token: TOKEN }, authorization)).toBe('unauthenticated');
    },
  );

  it('is for the token', () => {
    expect(refuseOnServicePort({ host, token: TOKEN }, `Bearer ${TOKEN}`)).toBeNull();
    expect(refuseOnServicePort({ host, token: TOKEN }, `bearer  ${TOKEN}`)).toBeNull();
  });
});

describe('/metrics on a port of its own', () => {
  it('needs the token only when one is set', () => {
    expect(refuseOnMetricsPort({ host, port: 0 }, undefined)).toBeNull();
    expect(refuseOnMetricsPort({ host, port: 0, token: TOKEN }, undefined)).toBe('unauthenticated');
    expect(refuseOnMetricsPort({ host, port: 0, token: TOKEN }, `Bearer ${TOKEN}`)).toBeNull();
  });
});
