import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { findFreePort } from './find-free-port.js';

// Where Linux begins with the ports that it gives away itself.
const FIRST_EPHEMERAL = 32_768;

describe('findFreePort', () => {
  const worker = process.env.VITEST_POOL_ID;
  const servers: Server[] = [];
  afterEach(() => {
    process.env.VITEST_POOL_ID = worker;
    for (const server of servers.splice(0)) server.close();
  });

  const findMany = async (): Promise<number[]> => {
    const ports: number[] = [];
    for (let n = 0; n < 50; n += 1) ports.push(await findFreePort());
    return ports;
  };

  it('gives each worker of a test run ports of its own, each once, and none that the system gives away', async () => {
    const seen: number[] = [];
    for (const id of ['1', '2', '19']) {
      process.env.VITEST_POOL_ID = id;
      seen.push(...(await findMany()));
    }
    expect(new Set(seen).size).toBe(150);
    expect(Math.max(...seen)).toBeLessThan(FIRST_EPHEMERAL);
    const parts = [0, 50, 100].map((start) => seen.slice(start, start + 50));
    const ranges = parts.map((ports) => [Math.min(...ports), Math.max(...ports)] as const);
    for (const [index, [, highest]] of ranges.entries())
      expect(highest).toBeLessThan(ranges[index + 1]?.[0] ?? FIRST_EPHEMERAL);
  });

  it('leaves out what somebody listens on', async () => {
    const taken = (await findFreePort()) + 1;
    const server = createServer().listen(taken, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    expect(await findFreePort()).not.toBe(taken);
  });
});
