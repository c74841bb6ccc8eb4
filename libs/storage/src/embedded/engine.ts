import type { PGlite } from '@electric-sql/pglite';

/**
 * The engine has crashed: its memory may be damaged, so no statement runs on it again. What was committed is on disk.
 */
export class EngineCrashedError extends Error {
  override readonly name = 'EngineCrashedError';
  constructor(cause: unknown) {
    super('The embedded database stopped working: end this process and start it again.', { cause });
  }
}

/** PGlite runs on this thread, so the event loop runs other work after this much time. */
const MAX_WORK_BEFORE_YIELD_MS = 10;
/** The status with which PGlite leaves its main loop on an ordinary SQL error (`POSTGRES_MAIN_LONGJMP`). */
const SQL_ERROR_STATUS = 100;

/** The two entry points of PGlite's module in which a crash is visible. PGlite 0.5 itself swallows it and continues. */
interface EngineModule {
  _PostgresMainLoopOnce: () => void;
  stackRestore: (pointer: number) => void;
}

/** Runs wire-protocol bytes on PGlite, one batch at a time (the caller serializes them). */
export class Engine {
  private crash: EngineCrashedError | undefined;
  private lastYieldAt = 0;

  constructor(
    private readonly db: PGlite,
    private readonly onCrash: (error: EngineCrashedError) => void,
  ) {
    this.watchForCrash(db.Module);
  }

  /** The response to `bytes`. Streamed: the plain call of PGlite 0.5 also retains every parsed message forever. */
  async exec(bytes: Buffer): Promise<Buffer> {
    this.assertAlive();
    await this.yieldToEventLoop();
    const chunks: Buffer[] = [];
    // No file system needs syncing in Node: both the folder and the memory are written directly.
    const options = { syncToFs: false, onRawData: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)) };
    try {
      await this.db.execProtocolRawStream(bytes, options);
    } catch (error) {
      this.reportCrash(error);
    }
    this.assertAlive();
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  /** Marks the engine as unusable. */
  reportCrash(cause: unknown): EngineCrashedError {
    if (this.crash === undefined) {
      this.crash = new EngineCrashedError(cause);
      this.onCrash(this.crash);
    }
    return this.crash;
  }

  get hasCrashed(): boolean {
    return this.crash !== undefined;
  }

  async dump(): Promise<Blob> {
    return this.db.dumpDataDir('none');
  }

  async close(): Promise<void> {
    if (this.crash === undefined) await this.db.close();
  }

  private assertAlive(): void {
    if (this.crash !== undefined) throw this.crash;
  }

  private async yieldToEventLoop(): Promise<void> {
    if (performance.now() - this.lastYieldAt < MAX_WORK_BEFORE_YIELD_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.lastYieldAt = performance.now();
  }

  private watchForCrash(module: EngineModule): void {
    const runOnce = module._PostgresMainLoopOnce;
    module._PostgresMainLoopOnce = () => {
      try {
        runOnce();
      } catch (error) {
        if ((error as { status?: unknown }).status !== SQL_ERROR_STATUS) {
          // PGlite calls this next without a guard: there is no other way out of its loop.
          module.stackRestore = () => {
            throw error;
          };
        }
        throw error;
      }
    };
  }
}
