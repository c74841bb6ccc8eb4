import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that Linux gives to outgoing connections and to whoever listens on any, so that nobody takes one between
// the look and the start, or while its process is down. Workers of a test run have a part each: the other half of it belongs to
// the servers that tests start (`scripts/services/ports.mjs`).
const FIRST_PORT = 12_000;
const PARTS = 20;
const PORTS_OF_PART = 1_000;
const PORTS_PER_OWNER = PORTS_OF_PART / 2;

let turn = randomInt(PORTS_PER_OWNER);

/** A port of the loopback that nobody listens on, for a process that keeps it over restarts; another one each time. */
export async function findFreePort(): Promise<number> {
  const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PORTS_OF_PART;
  for (let attempts = 0; attempts < PORTS_PER_OWNER; attempts += 1) {
    const port = first + (turn++ % PORTS_PER_OWNER);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `Every port from ${first} to ${first + PORTS_PER_OWNER - 1} is taken: stop some of what listens there.`,
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
