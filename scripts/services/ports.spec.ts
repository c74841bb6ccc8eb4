import { once } from 'node:events';
import { createServer } from 'node:net';
import { findFreePort } from './ports.mjs';

// The first port of Linux's default ephemeral range.
const FIRST_EPHEMERAL = 32_768;

describe('findFreePort', () => {
  const worker = process.env.VITEST_POOL_ID;
  afterEach(() => {
    process.env.VITEST_POOL_ID = worker;
  });

  it('returns no ephemeral port, and a different one in each worker of a test run', async () => {
    const ports: number[] = [];
    for (const id of ['1', '2', '3']) {
      process.env.VITEST_POOL_ID = id;
      ports.push(await findFreePort());
    }
    expect(new Set(ports).size).toBe(3);
    expect(Math.max(...ports)).toBeLessThan(FIRST_EPHEMERAL);
  });

  it('returns a different port at each call, even before anything listens on the first', async () => {
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
    expect(new Set(ports).size).toBe(3);
  });

  it('returns the preferred port if it is free, and otherwise another one', async () => {
    const preferred = await findFreePort();
    expect(await findFreePort(preferred)).toBe(preferred);
    const server = createServer().listen(preferred, '127.0.0.1');
    await once(server, 'listening');
    const ports = [await findFreePort(preferred), await findFreePort()];
    server.close();
    expect(ports).not.toContain(preferred);
  });
});
