import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** From the build: compiling sources would take each thread a second and 100 MB. */
const THREAD = path.resolve(import.meta.dirname, '../../dist/database/embedded-server-thread.js');

/**
 * `open` also replaces an open database by a fresh one; `dump` makes what is there the start of all later ones; a folder
 * gets a copy of that start.
 */
export type ThreadCommand = 'open' | 'dump' | 'stop' | { readonly folder: string };
export interface ThreadAnswer {
  readonly port?: number;
  readonly snapshot?: SharedArrayBuffer;
  readonly error?: string;
}

/** One PGlite in a thread of its own (it computes on the thread it lives on), reached over TCP. */
export class EmbeddedServer {
  private readonly thread: Worker;

  constructor(snapshot?: SharedArrayBuffer) {
    this.thread = new Worker(THREAD, { workerData: snapshot });
    // Nobody waits for an idle database: the test run ends it, and until then a failure shows in its next answer.
    this.thread.unref();
  }

  /** Replaces what was there by a fresh database and answers its URL. */
  async open(): Promise<string> {
    const { port } = await this.send('open');
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  async dump(): Promise<SharedArrayBuffer> {
    return (await this.send('dump')).snapshot!;
  }

  /** Writes the start of all databases into an empty folder, as a data folder. */
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
