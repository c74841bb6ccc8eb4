import type { PGlite } from '@electric-sql/pglite';

/** The engine is gone: its memory may be damaged, so nothing runs on it again. What was committed is on the disk. */
export class EngineCrashedError extends Error {
  override readonly name = 'EngineCrashedError';
  constructor(cause: unknown) {
    super('The embedded database stopped working: end this process and start it again.', { cause });
  }
}

/** PGlite runs on this thread, so after this much work other events of the process get their turn. */
const MAX_WORK_BEFORE_YIELD_MS = 10;
/** The status with which PGlite leaves its main loop for an ordinary SQL error (`POSTGRES_MAIN_LONGJMP`). */
const SQL_ERROR_STATUS = 100;

/** The two entry points of PGlite's module that show a crash. PGlite 0.5 itself swallows it and goes on. */
interface EngineModule {
  _PostgresMainLoopOnce: () => void;
  stackRestore: (pointer: number) => void;
}

/** Runs wire-protocol bytes on PGlite, one batch at a time (the caller sees to that). */
export class Engine {
  private crash: EngineCrashedError | undefined;
  private lastYieldAt = 0;

  constructor(
    private readonly db: PGlite,
    private readonly onCrash: (error: EngineCrashedError) => void,
  ) {
    this.watchForCrash(db.Module);
  }

  /**
   * The answer to `bytes`, whole. The streaming call is used because the plain one of PGlite 0.5 also keeps every
   * parsed message for good.
   */
  async exec(bytes: Buffer): Promise<Buffer> {
    this.assertAlive();
    await this.yieldToEventLoop();
    const chunks: Buffer[] = [];
    // A file system that needs syncing does not occur in Node: both the folder and the memory are written directly.
    const options = { syncToFs: false, onRawData: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)) };
    try {
      await this.db.execProtocolRawStream(bytes, options);
    } catch (error) {
      this.reportCrash(error);
    }
    this.assertAlive();
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  }

  /** Declares the engine unusable. */
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
          // PGlite calls this next and does not guard it: the only way out of its loop.
          module.stackRestore = () => {
            throw error;
          };
        }
        throw error;
      }
    };
  }
}
