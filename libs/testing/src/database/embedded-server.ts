import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** `open` also replaces an open database by a fresh one; `dump` makes what is there the start of all later ones. */
export type ThreadCommand = 'open' | 'dump' | 'stop';
export interface ThreadAnswer {
  readonly port?: number;
  readonly snapshot?: SharedArrayBuffer;
  readonly error?: string;
}

/** One PGlite in a thread of its own (it computes on the thread it lives on), reached over TCP. */
export class EmbeddedServer {
  private readonly thread: Worker;

  constructor(snapshot?: SharedArrayBuffer) {
    this.thread = startThread(snapshot);
    // Nobody waits for an idle database: the test run ends it, and until then a failure shows in its next answer.
    this.thread.unref();
  }

  /** Replaces what was there by a fresh database and answers its URL. */
  async open(): Promise<string> {
    const { port } = await this.ask('open');
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  async dump(): Promise<SharedArrayBuffer> {
    return (await this.ask('dump')).snapshot!;
  }

  async stop(): Promise<void> {
    await this.ask('stop');
    await this.thread.terminate();
  }

  private async ask(command: ThreadCommand): Promise<ThreadAnswer> {
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

/** From sources, the thread needs to be told how to read them; jest does that for its own threads only. */
function startThread(workerData: SharedArrayBuffer | undefined): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './embedded-server-thread.ts' : './embedded-server-thread.js', import.meta.url);
  if (!isSource) return new Worker(entry, { workerData });
  const hooks = new URL('../../../../scripts/jest/source-hooks.mjs', import.meta.url);
  const code = `import { registerSourceHooks } from '${hooks.href}'; registerSourceHooks(); await import('${entry.href}');`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData });
}
