import { Duplex } from 'node:stream';
import type { MessageBatch } from './message-batch-builder.js';
import { LockTimeoutError, LockWaitCancelledError } from './fifo-lock.js';
import { SessionSettingsError, type HubSession } from './hub-session.js';
import { MessageReader } from './message-reader.js';
import { parseStartupPacket } from './startup-packet.js';
import {
  encodeErrorResponse,
  encodeStartupResponse,
  encodeReadyForQuery,
  type SqlErrorResponse,
} from './wire-messages.js';

/** Limit of unanswered input in bytes, above which the writer has to wait. */
const MAX_WAITING_BYTES = 1_048_576;
const TERMINATE = 0x58;

type Work = MessageBatch | 'end';

export interface HubStreamOptions {
  readonly session: HubSession;
  readonly serverVersion: string;
  /** Called once, after an open transaction was rolled back and before `close`. */
  readonly onEnd: (stream: HubStream) => void;
}

/** The server's end of one connection, in the shape of a `net.Socket`, which is what the `pg` driver expects. */
export class HubStream extends Duplex {
  private readonly reader = new MessageReader();
  private readonly waiting: Work[] = [];
  private waitingBytes = 0;
  private started = false;
  private isRunning = false;
  private lastRun: Promise<void> = Promise.resolve();
  private resumeWriter: (() => void) | undefined;
  private resumeReader: (() => void) | undefined;

  constructor(private readonly options: HubStreamOptions) {
    super();
  }

  get session(): HubSession {
    return this.options.session;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  // What else `pg` calls on a socket has no effect here.
  readonly setNoDelay = (): this => this;
  readonly setKeepAlive = (): this => this;
  readonly ref = (): this => this;
  readonly unref = (): this => this;

  override _read(): void {
    this.resumeReader?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    try {
      this.reader.push(chunk);
      if (this.readStartup()) this.readMessages();
    } catch (error) {
      done(error as Error);
      return;
    }
    if (this.waitingBytes > MAX_WAITING_BYTES) this.resumeWriter = done;
    else done();
  }

  override _final(done: () => void): void {
    this.enqueue('end');
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.session.cancelWait();
    this.resumeReader?.();
    void this.lastRun
      .then(() => this.session.rollBackOpenWork())
      // The engine has crashed: it has notified every stream itself, and there is nothing to roll back.
      .catch(() => undefined)
      .then(() => {
        this.options.onEnd(this);
        done(error);
      });
  }

  /** True when the start-up exchange is complete. */
  private readStartup(): boolean {
    while (!this.started) {
      const bytes = this.reader.nextStartup();
      if (bytes === undefined) return false;
      const packet = parseStartupPacket(bytes);
      if (packet.kind === 'encryption-request') this.push('N');
      else if (packet.kind === 'cancel-request') this.enqueue('end');
      else if (packet.kind === 'unsupported')
        this.endWithError({
          severity: 'FATAL',
          code: '08P01',
          message: 'Only version 3 of the PostgreSQL protocol is supported.',
        });
      else {
        this.started = true;
        this.session.start(packet.settings);
        this.push(encodeStartupResponse(this.options.serverVersion));
      }
      if (packet.kind === 'cancel-request' || packet.kind === 'unsupported') return false;
    }
    return true;
  }

  private readMessages(): void {
    for (let message = this.reader.nextMessage(); message !== undefined; message = this.reader.nextMessage()) {
      if (message[0] === TERMINATE) return this.enqueue('end');
      const batch = this.session.builder.add(message);
      if (batch !== undefined) this.enqueue(batch);
    }
  }

  private enqueue(work: Work): void {
    this.waiting.push(work);
    if (work !== 'end') this.waitingBytes += work.bytes.length;
    if (!this.isRunning) this.lastRun = this.runWaiting();
  }

  private async runWaiting(): Promise<void> {
    this.isRunning = true;
    try {
      for (let work = this.waiting.shift(); work !== undefined && !this.destroyed; work = this.waiting.shift()) {
        if (work === 'end') return this.finish();
        await this.answer(work);
        this.waitingBytes -= work.bytes.length;
        if (this.waitingBytes <= MAX_WAITING_BYTES) this.resumeWrites();
      }
    } catch (error) {
      this.destroy(error as Error);
    } finally {
      this.isRunning = false;
    }
  }

  private async answer(batch: MessageBatch): Promise<void> {
    let replies: readonly Buffer[];
    try {
      replies = await this.session.run(batch);
    } catch (error) {
      if (error instanceof LockWaitCancelledError) return;
      if (error instanceof LockTimeoutError) return this.rejectBatch(batch, error);
      if (error instanceof SessionSettingsError)
        return this.endWithError({ severity: 'FATAL', code: error.code, message: error.message });
      throw error;
    }
    let wantsMore = true;
    for (const reply of replies) wantsMore = this.push(reply);
    if (!wantsMore) await this.waitForDrain();
  }

  /** 55P03: lock not available. Disconnects a client that has sent more, which may depend on this batch (a BEGIN). */
  private rejectBatch(batch: MessageBatch, error: LockTimeoutError): void {
    const problem = { code: '55P03', message: error.message };
    if (this.waiting.length > 0 || batch.endsInFlush) return this.endWithError({ severity: 'FATAL', ...problem });
    this.push(encodeErrorResponse({ severity: 'ERROR', ...problem }));
    this.push(encodeReadyForQuery('I'));
  }

  private endWithError(problem: SqlErrorResponse): void {
    this.push(encodeErrorResponse(problem));
    this.waiting.length = 0;
    this.push(null);
    this.once('end', () => this.destroy());
  }

  private finish(): void {
    if (this.readableEnded || this.destroyed) return;
    this.push(null);
    this.destroy();
  }

  private async waitForDrain(): Promise<void> {
    if (this.destroyed) return;
    await new Promise<void>((resolve) => (this.resumeReader = resolve));
    this.resumeReader = undefined;
  }

  private resumeWrites(): void {
    const resume = this.resumeWriter;
    this.resumeWriter = undefined;
    resume?.();
  }
}
