import { randomInt } from 'node:crypto';
import net from 'node:net';

// Below Linux's ephemeral ports, so that no other process gets a port between the check and the start, or while its
// server is down. Each worker of a test run has a range of its own; the other half of the range is for processes of
// Annals (`find-free-port.ts`). The first range is for servers that no test starts.
const FIRST_PORT = 12_000;
const RANGES = 20;
const PORTS_PER_RANGE = 1_000;
const PORTS_PER_OWNER = PORTS_PER_RANGE / 2;

// Two calls return two ports, even before anything listens on the first.
let nextOffset = randomInt(PORTS_PER_OWNER);

/** A free TCP port on the loopback: the preferred one if it is free, else another one at each call. */
export async function findFreePort(preferred) {
  if (preferred && (await isFree(preferred))) return preferred;
  const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % RANGES) * PORTS_PER_RANGE + PORTS_PER_OWNER;
  for (let attempts = 0; attempts < PORTS_PER_OWNER; attempts += 1) {
    const port = first + (nextOffset++ % PORTS_PER_OWNER);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `Every port from ${first} to ${first + PORTS_PER_OWNER - 1} is in use: stop some of the programs that use them.`,
  );
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
