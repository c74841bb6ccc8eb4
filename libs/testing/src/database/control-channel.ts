import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ControlChannel {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers one JSON request per connection, on a free port of the loopback. */
export async function serveControlChannel(answer: (request: unknown) => Promise<unknown>): Promise<ControlChannel> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    void answerSocket(socket, answer);
  });
  server.listen(0, '127.0.0.1');
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

/** Sends a request to a {@link serveControlChannel}. Rejects with the error of the other process. */
export async function callControlChannel(port: number, request: unknown): Promise<unknown> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(JSON.stringify(request));
  const reply = JSON.parse(await text(socket)) as { answer?: unknown; error?: string };
  if (reply.error !== undefined) throw new Error(reply.error);
  return reply.answer;
}

async function answerSocket(socket: Socket, answer: (request: unknown) => Promise<unknown>): Promise<void> {
  try {
    socket.end(JSON.stringify({ answer: (await answer(JSON.parse(await text(socket)))) ?? null }));
  } catch (error) {
    socket.end(JSON.stringify({ error: (error as Error).stack ?? String(error) }));
  }
}
