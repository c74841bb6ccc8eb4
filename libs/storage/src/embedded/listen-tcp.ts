import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { EmbeddedHub } from './embedded-hub.js';

export interface TcpListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Gives other processes (tests, psql) access to the embedded database. There is no password: everyone who can connect
 * to the port has access, so it listens on the loopback address only. Port 0 selects a free one.
 */
export async function listenTcp(hub: Pick<EmbeddedHub, 'createStream'>, port: number): Promise<TcpListener> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const stream = hub.createStream();
    // Closing either end closes the other; a reset by the peer is a normal end.
    socket.on('error', () => stream.destroy());
    stream.on('error', () => socket.destroy());
    stream.on('close', () => socket.end());
    socket.on('close', () => {
      sockets.delete(socket);
      stream.destroy();
    });
    socket.pipe(stream).pipe(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
