import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** `http://127.0.0.1:1234`. */
  readonly origin: string;
  /** Ends open connections, too. */
  readonly close: () => Promise<void>;
}

/** Starts a server on the loopback. `port` 0 selects a free one. */
export async function listenOnLoopback(server: Server, port = 0, backlog?: number): Promise<LoopbackServer> {
  server.listen({ port, host: '127.0.0.1', backlog });
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
