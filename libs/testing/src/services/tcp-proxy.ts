import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between processes and a server, and makes the server slow or silent. */
export interface TcpProxy {
  /** `url` with the address of the proxy. */
  through(url: string): string;
  /** From now on, each chunk that either side sends waits this long before it is forwarded. */
  delayBy(ms: number): void;
  /** From now on, nothing is forwarded; connections are accepted and stay open, as with a server that hangs. */
  freeze(): void;
  /** Forwards again, what has waited included. */
  thaw(): void;
  /** The open connections go silent for good and stay open; new ones work: a failover that closes nothing. */
  strand(): void;
  /** From now on, connections are those of the server at `url`; the open ones end. */
  leadTo(url: string): void;
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** A proxy on the loopback for the server at `url`. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  let target = new URL(url);
  const pipes = new Set<Pipe>();
  const sockets = new Set<Socket>();
  const pace = { delayMs: 0, isFrozen: false };
  const server = createServer((downstream) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [downstream, upstream],
      [upstream, downstream],
    ] as const) {
      sockets.add(from);
      const pipe = new Pipe(from, to, pace);
      pipes.add(pipe);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        sockets.delete(from);
        pipes.delete(pipe);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const { port } = server.address() as { port: number };
  return {
    through(original) {
      const changed = new URL(original);
      changed.hostname = '127.0.0.1';
      changed.port = `${port}`;
      return changed.href;
    },
    delayBy: (ms) => void (pace.delayMs = ms),
    freeze: () => void (pace.isFrozen = true),
    thaw() {
      pace.isFrozen = false;
      for (const pipe of pipes) pipe.flush();
    },
    strand() {
      for (const pipe of pipes) pipe.isStranded = true;
    },
    leadTo(other) {
      target = new URL(other);
      endAll();
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Pace {
  readonly delayMs: number;
  readonly isFrozen: boolean;
}

/** One direction of a connection. */
class Pipe {
  isStranded = false;
  private readonly waiting: Buffer[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(
    from: Socket,
    private readonly to: Socket,
    private readonly pace: Pace,
  ) {
    from.on('data', (chunk: Buffer) => void (this.last = this.forward(chunk, this.last)));
  }

  flush(): void {
    if (this.to.destroyed) return;
    for (const chunk of this.waiting.splice(0)) this.to.write(chunk);
  }

  /** In order, whatever the delay was when a chunk came. */
  private async forward(chunk: Buffer, earlier: Promise<void>): Promise<void> {
    const { delayMs } = this.pace;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    await earlier;
    if (this.isStranded) return;
    if (this.pace.isFrozen || this.waiting.length > 0) this.waiting.push(chunk);
    else if (!this.to.destroyed) this.to.write(chunk);
  }
}
