import { partOf, ROOT_PART } from './parts.ts';

const PACKAGES = 'file:///repo/node_modules/.pnpm';

describe('the part of a frame in a CPU profile', () => {
  it.each([
    ['(anonymous)', `${PACKAGES}/pg@8.0.0/node_modules/pg/lib/client.js`, 'driver (pg)'],
    ['parse', `${PACKAGES}/pg-protocol@1.0.0/node_modules/pg-protocol/dist/parser.js`, 'driver (pg)'],
    ['toString', 'file:///repo/libs/storage/dist/index.js', 'ours: storage'],
    ['Hmac', 'node:internal/crypto/hash', 'hashing and random bytes'],
    ['readTag', 'file:///repo/libs/english/dist/index.js', 'ours: English'],
  ])('%s in %s', (functionName, url, part) => {
    expect(partOf({ functionName, url }, ROOT_PART)).toBe(part);
  });

  it.each([
    ['ours: storage', 'socket writes: PostgreSQL'],
    ['BullMQ and ioredis', 'socket writes: Valkey'],
    ['HTTP (Nest, Fastify)', 'socket writes: HTTP'],
    [ROOT_PART, 'socket writes: others'],
  ])('of a write that %s calls', (caller, part) => {
    expect(partOf({ functionName: 'writev', url: '' }, caller)).toBe(part);
  });

  it('of code without an address, and of Node, is that of its caller', () => {
    expect(partOf({ functionName: 'toString', url: '' }, 'TypeORM')).toBe('TypeORM');
    expect(partOf({ functionName: 'emit', url: 'node:events' }, 'TypeORM')).toBe('TypeORM');
  });

  it('of all that runs while a module is loaded is the start-up', () => {
    const loading = partOf({ functionName: 'require', url: 'node:internal/modules/cjs/loader' }, ROOT_PART);
    expect(partOf({ functionName: 'f', url: 'file:///repo/libs/storage/dist/index.js' }, loading)).toBe('start-up');
  });
});
