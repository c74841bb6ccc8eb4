import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that Linux gives to outgoing connections, so that none takes it between the look and the start.
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;

/** A port of the loopback that nobody listens on, for a process that keeps it over restarts. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
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
