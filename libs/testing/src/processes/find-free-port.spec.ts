import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { findFreePort } from './find-free-port.js';

// The first port of Linux's default ephemeral range.
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

  it('returns each port once, from a separate range for each worker of a test run, and no ephemeral port', async () => {
    const allPorts: number[] = [];
    for (const id of ['1', '2', '19']) {
      process.env.VITEST_POOL_ID = id;
      allPorts.push(...(await findMany()));
    }
    expect(new Set(allPorts).size).toBe(150);
    expect(Math.max(...allPorts)).toBeLessThan(FIRST_EPHEMERAL);
    const parts = [0, 50, 100].map((start) => allPorts.slice(start, start + 50));
    const ranges = parts.map((ports) => [Math.min(...ports), Math.max(...ports)] as const);
    for (const [index, [, highest]] of ranges.entries())
      expect(highest).toBeLessThan(ranges[index + 1]?.[0] ?? FIRST_EPHEMERAL);
  });

  it('skips a port that is in use', async () => {
    const taken = (await findFreePort()) + 1;
    const server = createServer().listen(taken, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    expect(await findFreePort()).not.toBe(taken);
  });
});
