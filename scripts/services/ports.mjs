import { randomInt } from 'node:crypto';
import net from 'node:net';

// Below the ports that Linux gives to outgoing connections and to whoever listens on any, so that nobody takes one between
// the look and the start, or while its server is down. Workers of a test run have a part each: the other half of it belongs to
// the processes of Annals (`find-free-port.ts`). The first part is for servers that no test starts.
const FIRST_PORT = 12_000;
const PARTS = 20;
const PORTS_OF_PART = 1_000;
const PORTS_PER_OWNER = PORTS_OF_PART / 2;

// Who asks twice wants two, also before anything listens on the first.
let turn = randomInt(PORTS_PER_OWNER);

/** A TCP port on the loopback that nothing listens on right now: the preferred one if it is free, else another each time. */
export async function findFreePort(preferred) {
  if (preferred && (await isFree(preferred))) return preferred;
  const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PORTS_OF_PART + PORTS_PER_OWNER;
  for (let attempts = 0; attempts < PORTS_PER_OWNER; attempts += 1) {
    const port = first + (turn++ % PORTS_PER_OWNER);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `Every port from ${first} to ${first + PORTS_PER_OWNER - 1} is taken: stop some of what listens there.`,
  );
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
