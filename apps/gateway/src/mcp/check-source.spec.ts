import { ProblemError } from '@annals/contracts';
import { checkSource, listAllowedHosts } from './check-source.js';

const allowedFor = (host: string, hosts?: readonly string[]) =>
  listAllowedHosts({ http: { host }, mcp: { hosts } } as unknown as Parameters<typeof listAllowedHosts>[0]);

/** Null when it is admitted, else the header that is wrong. */
function check(allowed: readonly string[] | null, host: string, origin?: string): string | null {
  try {
    checkSource({ host, origin }, allowed);
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'forbidden_origin') throw error;
    return error.options.errors![0]!.path;
  }
}

describe('the hosts that /mcp answers to', () => {
  it.each([['127.0.0.1'], ['127.0.0.5'], ['localhost'], ['::1']])('are those of this machine on %s', (host) => {
    expect(allowedFor(host)).toEqual(['localhost', '127.0.0.1', '[::1]']);
  });

  it.each([['0.0.0.0'], ['::'], ['10.0.0.7'], ['memory.internal']])('are all on %s unless they are named', (host) => {
    expect(allowedFor(host)).toBeNull();
    expect(allowedFor(host, ['memory.example.com'])).toEqual(['memory.example.com']);
  });

  it('are the named ones alone, also on this machine', () => {
    expect(allowedFor('127.0.0.1', ['memory.example.com'])).toEqual(['memory.example.com']);
  });
});

describe('checkSource', () => {
  const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

  it.each([
    ['localhost:8080', undefined],
    ['127.0.0.1', undefined],
    ['[::1]:8080', undefined],
    ['localhost:8080', 'http://localhost:6274'],
    ['LOCALHOST:8080', undefined],
  ])('admits a request to %s from %s', (host, origin) => expect(check(LOCAL, host, origin)).toBeNull());

  it.each([
    ['evil.example', undefined, 'headers.host'],
    ['evil.example:8080', 'http://evil.example:8080', 'headers.host'],
    ['localhost.evil.example', undefined, 'headers.host'],
    ['', undefined, 'headers.host'],
    ['localhost:8080', 'http://evil.example', 'headers.origin'],
    ['localhost:8080', 'http://localhost.evil.example', 'headers.origin'],
    ['localhost:8080', 'null', 'headers.origin'],
    ['localhost:8080', '', 'headers.origin'],
  ])('refuses a request to %s from %s', (host, origin, header) => expect(check(LOCAL, host, origin)).toBe(header));

  it('admits any host, and no web page, where no host is named', () => {
    expect(check(null, 'annals-gateway:8080')).toBeNull();
    expect(check(null, 'memory.example.com', 'https://memory.example.com')).toBe('headers.origin');
  });
});
