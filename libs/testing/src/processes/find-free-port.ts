import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below Linux's ephemeral ports, so that no other process gets a port between the check and the start, or while its
// process is down. Each worker of a test run has a range of its own; the other half of the range is for the servers
// that tests start (`scripts/services/ports.mjs`).
const FIRST_PORT = 12_000;
const RANGES = 20;
const PORTS_PER_RANGE = 1_000;
const PORTS_PER_OWNER = PORTS_PER_RANGE / 2;

let nextOffset = randomInt(PORTS_PER_OWNER);

/** A free TCP port on the loopback, for a process that keeps it over restarts; another one at each call. */
export async function findFreePort(): Promise<number> {
  const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % RANGES) * PORTS_PER_RANGE;
  for (let attempts = 0; attempts < PORTS_PER_OWNER; attempts += 1) {
    const port = first + (nextOffset++ % PORTS_PER_OWNER);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `Every port from ${first} to ${first + PORTS_PER_OWNER - 1} is in use: stop some of the programs that use them.`,
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
