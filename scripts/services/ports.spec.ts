import { once } from 'node:events';
import { createServer } from 'node:net';
import { findFreePort } from './ports.mjs';

// Where Linux begins with the ports that it gives away itself.
const FIRST_EPHEMERAL = 32_768;

describe('the port of a server', () => {
  const worker = process.env.VITEST_POOL_ID;
  afterEach(() => {
    process.env.VITEST_POOL_ID = worker;
  });

  it('is none that the system gives away, and another one in each worker of a test run', async () => {
    const ports: number[] = [];
    for (const id of ['1', '2', '3']) {
      process.env.VITEST_POOL_ID = id;
      ports.push(await findFreePort());
    }
    expect(new Set(ports).size).toBe(3);
    expect(Math.max(...ports)).toBeLessThan(FIRST_EPHEMERAL);
  });

  it('is another one each time, also where nothing listens on the first yet', async () => {
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
    expect(new Set(ports).size).toBe(3);
  });

  it('is the preferred one if it is free, and otherwise another', async () => {
    const preferred = await findFreePort();
    expect(await findFreePort(preferred)).toBe(preferred);
    const server = createServer().listen(preferred, '127.0.0.1');
    await once(server, 'listening');
    const ports = [await findFreePort(preferred), await findFreePort()];
    server.close();
    expect(ports).not.toContain(preferred);
  });
});
