import type { BackendReply } from './backend-reply.js';
import { parseError, parseReply, parseTextRows } from './backend-reply.js';
import { MessageBatchBuilder, type MessageBatch } from './message-batch-builder.js';
import type { Engine } from './engine.js';
import type { FifoLock } from './fifo-lock.js';
import { SessionSettings } from './session-settings.js';
import type { ListenChange } from './sql-effects.js';
import { encodeQuery, quoteIdentifier, ROLLBACK, SYNC } from './wire-messages.js';

/** The settings of a start-up message were rejected, for instance an unknown role. */
export class SessionSettingsError extends Error {
  override readonly name = 'SessionSettingsError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** State that all sessions share. */
export interface SessionHost {
  readonly engine: Engine;
  readonly lock: FifoLock;
  readonly lockTimeoutMs: number;
  /** The session whose settings are applied to the backend. */
  settingsOwner: HubSession | undefined;
  deliver(notifications: BackendReply['notifications']): void;
  isListenedTo(channel: string): boolean;
}

/** One client. It holds the lock from a transaction's first batch until the backend is idle: no other runs in it. */
export class HubSession {
  readonly builder: MessageBatchBuilder;
  readonly channels = new Set<string>();
  private settings = new SessionSettings();
  private settingsAreStale = false;
  private listens: ListenChange[] = [];

  constructor(
    id: number,
    private readonly host: SessionHost,
  ) {
    this.builder = new MessageBatchBuilder(id);
  }

  start(settings: ReadonlyMap<string, string>): void {
    this.settings = new SessionSettings(settings);
  }

  /** Runs a batch and returns the client's part of the reply. Rejects with the errors of {@link FifoLock.acquire}. */
  async run(batch: MessageBatch): Promise<readonly Buffer[]> {
    const { lock, engine } = this.host;
    if (!lock.isHeldBy(this)) {
      await lock.acquire(this, this.host.lockTimeoutMs);
      await this.takeOver();
    }
    if (batch.changesSettings) {
      this.settingsAreStale = true;
      this.settings.noteCustomNames(batch.bytes);
    }
    this.listens.push(...batch.listens);
    const reply = parseReply(await engine.exec(batch.bytes), { dropFirstParseComplete: batch.repeatsParse });
    if (reply.state === undefined && !batch.endsInFlush)
      throw engine.reportCrash('The reply to a batch is incomplete.');
    if (reply.state === 'I') await this.finishTransaction(reply);
    this.host.deliver(reply.notifications);
    return reply.forClient;
  }

  /** Leaves the queue for the lock. The waiting {@link run} rejects. */
  cancelWait(): void {
    this.host.lock.cancel(this);
  }

  /** Rolls back an open transaction. Call it only when no batch is running any more. */
  async rollBackOpenWork(): Promise<void> {
    if (!this.host.lock.isHeldBy(this)) return;
    // After a Flush, a Sync would commit statements without a BEGIN, so a rollback precedes it; after an error, the
    // backend skips everything up to a Sync, so a rollback follows it.
    const reply = parseReply(await this.host.engine.exec(Buffer.concat([ROLLBACK, SYNC, ROLLBACK])));
    this.host.deliver(reply.notifications);
    this.settingsAreStale = false;
    this.listens = [];
    this.release();
  }

  /** Releases the backend's resources of this client. Waits for the lock. */
  async cleanUp(): Promise<void> {
    const closes = this.builder.names.closeAll();
    const channels = [...this.channels];
    this.channels.clear();
    if (this.host.settingsOwner === this) this.host.settingsOwner = undefined;
    if (closes.length === 0 && channels.length === 0) return;
    await this.host.lock.acquire(this);
    const unlistens = channels.filter((channel) => !this.host.isListenedTo(channel)).map(unlisten);
    await this.host.engine.exec(Buffer.concat([closes, SYNC, ...unlistens]));
    this.release();
  }

  private async takeOver(): Promise<void> {
    if (this.host.settingsOwner === this) return;
    this.host.settingsOwner = undefined;
    const bytes = await this.host.engine.exec(this.settings.takeOverQuery());
    const error = parseError(bytes);
    if (error !== undefined) {
      this.release();
      throw new SessionSettingsError(error.get('C') ?? 'XX000', error.get('M') ?? 'The settings were rejected.');
    }
    this.host.settingsOwner = this;
  }

  /** Called at the end of a transaction: reads back changed settings, applies LISTEN, and releases the lock. */
  private async finishTransaction(reply: BackendReply): Promise<void> {
    if (this.settingsAreStale) {
      const bytes = await this.host.engine.exec(this.settings.readBackQuery());
      this.settings.readBack(parseTextRows(bytes));
      this.settingsAreStale = false;
      // A reset setting has the backend's value now, not that of the start-up message.
      this.host.settingsOwner = undefined;
    }
    if (this.listens.length > 0) {
      const rolledBack = reply.failed || reply.commandTags.at(-1) === 'ROLLBACK';
      if (!rolledBack) await this.applyListens();
      this.listens = [];
    }
    this.release();
  }

  /** LISTEN is per backend: after an UNLISTEN, channels that other clients listen to are subscribed again. */
  private async applyListens(): Promise<void> {
    const before = new Set(this.channels);
    for (const { action, channel } of this.listens) {
      if (channel === undefined) this.channels.clear();
      else if (action === 'listen') this.channels.add(channel);
      else this.channels.delete(channel);
    }
    const toListenAgain = [...before].filter(
      (channel) => !this.channels.has(channel) && this.host.isListenedTo(channel),
    );
    if (toListenAgain.length > 0) await this.host.engine.exec(Buffer.concat(toListenAgain.map(listen)));
  }

  private release(): void {
    this.host.lock.release(this);
  }
}

const listen = (channel: string): Buffer => encodeQuery(`LISTEN ${quoteIdentifier(channel)}`);
const unlisten = (channel: string): Buffer => encodeQuery(`UNLISTEN ${quoteIdentifier(channel)}`);
