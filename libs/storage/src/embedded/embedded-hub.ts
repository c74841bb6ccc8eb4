import type { PGlite } from '@electric-sql/pglite';
import { type BackendReply, parseError, parseTextRows } from './backend-reply.js';
import { Engine, type EngineCrashedError } from './engine.js';
import { FifoLock } from './fifo-lock.js';
import { HubSession, type SessionHost } from './hub-session.js';
import { HubStream } from './hub-stream.js';
import { encodeQuery } from './wire-messages.js';

export interface EmbeddedHubOptions {
  readonly serverVersion: string;
  /** Time limit for waiting for another client's transaction, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Called once when the engine is unusable; all streams end with the same error. The process should exit. */
  readonly onCrash: (error: EngineCrashedError) => void;
}

/**
 * Lets many clients share the single backend of PGlite as if it were a server: transactions are serialized; settings,
 * role, prepared statements and LISTEN are per client. What cannot be isolated is rejected with an SQL error (see
 * `sql-effects.ts`), except: session-level advisory locks never exclude another client (take the transaction-level
 * ones), `lastval`/`currval` may be another client's, and a setting that a stored function changes for its session is
 * lost when another client takes over.
 */
export class EmbeddedHub implements SessionHost {
  readonly lock = new FifoLock();
  readonly engine: Engine;
  readonly lockTimeoutMs: number;
  settingsOwner: HubSession | undefined;
  private readonly streams = new Set<HubStream>();
  private readonly pendingCleanups = new Set<Promise<void>>();
  private created = 0;
  private closing = false;

  constructor(
    db: PGlite,
    private readonly options: EmbeddedHubOptions,
  ) {
    this.lockTimeoutMs = options.lockTimeoutMs;
    this.engine = new Engine(db, (error) => this.endStreams(error));
  }

  /** A new connection. For `pg`: `new Pool({ stream: hub.createStream })`; for TypeORM: `extra: { stream: ... }`. */
  readonly createStream = (): HubStream => {
    const session = new HubSession(++this.created, this);
    const stream = new HubStream({ session, serverVersion: this.options.serverVersion, onEnd: this.removeStream });
    if (this.closing) stream.destroy(new Error('The embedded database is closed.'));
    else this.streams.add(stream);
    return stream;
  };

  deliver(notifications: BackendReply['notifications']): void {
    for (const { channel, message } of notifications)
      for (const stream of this.streams) if (stream.session.channels.has(channel)) stream.push(message);
  }

  isListenedTo(channel: string): boolean {
    return [...this.streams].some((stream) => stream.session.channels.has(channel));
  }

  /** The whole database as a tar archive. Waits for the transaction that is open. */
  async dump(): Promise<Blob> {
    return this.runAlone(async () => {
      await this.engine.exec(encodeQuery('CHECKPOINT'));
      return this.engine.dump();
    });
  }

  /** Closes all connections, rolls back their open transactions, and closes the database. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    const ended = [...this.streams].map((stream) => new Promise((resolve) => stream.once('close', resolve)));
    this.endStreams();
    await Promise.all(ended);
    if (this.engine.hasCrashed) return;
    await Promise.all(this.pendingCleanups);
    await this.runAlone(async () => {
      await this.engine.exec(encodeQuery('CHECKPOINT'));
      await this.engine.close();
    });
  }

  /** Runs one statement as the superuser, outside of any transaction, when no other connection is in one. */
  runSql(sql: string, signal?: AbortSignal): Promise<(string | null)[][]> {
    return this.runAlone(() => this.execute(sql), signal);
  }

  /** The rows of a statement as text. Only inside of `runAlone`. Throws when PostgreSQL refuses it. */
  async execute(sql: string): Promise<(string | null)[][]> {
    const bytes = await this.engine.exec(encodeQuery(sql));
    const error = parseError(bytes);
    if (error !== undefined) throw new Error(`${error.get('M')} (${error.get('C')})`);
    return parseTextRows(bytes);
  }

  /**
   * Runs a task as the superuser, while no other connection is in a transaction: they wait. `signal` ends the wait for
   * one that is, not the task. @throws LockWaitCancelledError
   */
  async runAlone<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const owner = {};
    const cancel = () => this.lock.cancel(owner);
    signal?.addEventListener('abort', cancel);
    try {
      await this.lock.acquire(owner);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    try {
      this.settingsOwner = undefined;
      await this.engine.exec(encodeQuery('RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL'));
      return await task();
    } finally {
      this.lock.release(owner);
    }
  }

  private readonly removeStream = (stream: HubStream): void => {
    this.streams.delete(stream);
    // A crashed engine has already lost all sessions.
    const cleanup = stream.session
      .cleanUp()
      .catch(() => undefined)
      .finally(() => this.pendingCleanups.delete(cleanup));
    this.pendingCleanups.add(cleanup);
  };

  private endStreams(crash?: EngineCrashedError): void {
    for (const stream of this.streams) stream.destroy(crash);
    if (crash !== undefined) this.options.onCrash(crash);
  }
}
