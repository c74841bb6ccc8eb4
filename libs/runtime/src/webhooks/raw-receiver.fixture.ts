import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A receiver that writes what it likes on a connection, behind the first bytes of each request. */
export class RawReceiver {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(onRequest: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => onRequest(socket));
    });
  }

  static async start(onRequest: (socket: Socket) => void): Promise<RawReceiver> {
    const receiver = new RawReceiver(onRequest);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
