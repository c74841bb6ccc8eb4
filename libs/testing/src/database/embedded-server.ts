import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** From the build: compiling sources would cost each thread a second and 100 MB. */
const THREAD = path.resolve(import.meta.dirname, '../../dist/database/embedded-server-thread.js');

/**
 * `open` also replaces an open database by a fresh one; `dump` makes the current content the snapshot for all later
 * ones; `folder` writes a copy of that snapshot to a folder.
 */
export type ThreadCommand = 'open' | 'dump' | 'stop' | { readonly folder: string };
export interface ThreadAnswer {
  readonly port?: number;
  readonly snapshot?: SharedArrayBuffer;
  readonly error?: string;
}

/** One PGlite in a thread of its own (it computes on the thread that creates it), reached over TCP. */
export class EmbeddedServer {
  private readonly thread: Worker;

  constructor(snapshot?: SharedArrayBuffer) {
    this.thread = new Worker(THREAD, { workerData: snapshot });
    // An idle database must not keep the process alive; a failure is reported by the next command.
    this.thread.unref();
  }

  /** Replaces the current database by a fresh one and returns its URL. */
  async open(): Promise<string> {
    const { port } = await this.send('open');
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  async dump(): Promise<SharedArrayBuffer> {
    return (await this.send('dump')).snapshot!;
  }

  /** Writes the snapshot into an empty folder, as a data folder. */
  async writeFolder(folder: string): Promise<void> {
    await this.send({ folder });
  }

  async stop(): Promise<void> {
    await this.send('stop');
    await this.thread.terminate();
  }

  private async send(command: ThreadCommand): Promise<ThreadAnswer> {
    this.thread.ref();
    try {
      const answered = once(this.thread, 'message');
      this.thread.postMessage(command);
      const [answer] = (await answered) as [ThreadAnswer];
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    } finally {
      this.thread.unref();
    }
  }
}
