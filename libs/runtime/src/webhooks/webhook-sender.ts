import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, IdGenerator } from '@annals/domain';
import { Pause } from '@annals/messaging';
import { type Logger, type Metrics, withoutTracing } from '@annals/observability';
import {
  advanceFeed,
  type Database,
  DatabaseUnavailableError,
  type FeedHold,
  leaseWebhookFeeds,
  releaseFeed,
  type Tx,
} from '@annals/storage';
import { Semaphore } from 'async-mutex';
import { type DeliveredOutcome, type DeliveryDependencies, deliverEvent } from './deliver-event.js';
import { WebhookReports } from './webhook-reports.js';

interface WebhookSenderLimits {
  /** Requests of this process at a time. */
  readonly concurrency: number;
  /** Requests that one endpoint gets at a time. */
  readonly perWebhook: number;
  /** Between two searches for events that are due, in ms. */
  readonly pollMs: number;
}

export interface WebhookSenderOptions extends DeliveryDependencies {
  readonly clock: Pick<Clock, 'now' | 'monotonicNow'>;
  readonly database: Database;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits: WebhookSenderLimits;
}

/** At a time: what writes memories in the same process has the other connections of the pool. */
const TRANSACTIONS = 4;

/** Events that a feed sends before others of its endpoint have their turn. */
const EVENTS_PER_TURN = 50;

/** A feed is held for longer than its request takes: who was stopped for less loses none. In ms. */
const LEASE_MARGIN_MS = 15_000;

/** How long running requests may take when the process stops; afterwards they count as not made. In ms. */
const STOP_GRACE_MS = 5_000;

/** Between two looks at a feed that somebody else works on, in ms. */
const SHORTEST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;

/** Feeds that end together are followed by one search. In ms. */
const KICK_GAP_MS = 10;

/**
 * Sends the events of all tenants' endpoints. Any number of processes may run one: a feed, what one endpoint is told about
 * one user, belongs to one of them at a time, which sends its events one after another
 * (docs/reference/webhooks.md#order).
 */
export class WebhookSender {
  private readonly running = new Map<Promise<void>, FeedHold>();
  private readonly transactions = new Semaphore(TRANSACTIONS);
  private readonly pause = new Pause();
  private readonly interrupting = new AbortController();
  private readonly reports: WebhookReports;
  private readonly leaseMs: number;
  private loop: Promise<void> | undefined;

  constructor(private readonly options: WebhookSenderOptions) {
    this.reports = new WebhookReports(options);
    this.leaseMs = options.timeoutMs + LEASE_MARGIN_MS;
  }

  start(): void {
    this.loop ??= withoutTracing(() => this.run());
  }

  /** Takes nothing more and waits for the requests that are open; feeds are given back. */
  async stop(): Promise<void> {
    this.pause.stop();
    const timer = setTimeout(() => this.interrupting.abort(), STOP_GRACE_MS);
    await this.loop;
    await Promise.all(this.running.keys());
    clearTimeout(timer);
  }

  /** Sends everything that is due by the clock, and returns how many feeds were served. Throws when the database does. */
  async sendDue(): Promise<number> {
    for (let served = 0; ;) {
      const started = await this.startDue();
      if (started === 0 && this.running.size === 0) return served;
      served += started;
      await Promise.race(this.running.keys());
    }
  }

  private async run(): Promise<void> {
    while (!this.pause.isStopped) {
      const hasStarted = await this.tryStartDue();
      await this.pause.rest(KICK_GAP_MS);
      await this.pause.sleep(hasStarted ? 0 : this.options.limits.pollMs);
    }
  }

  private async tryStartDue(): Promise<boolean> {
    try {
      return (await this.startDue()) > 0;
    } catch (error) {
      this.reportError(error);
      return false;
    }
  }

  /** Claims feeds for the free places and starts to send what is in them. Returns how many. */
  private async startDue(): Promise<number> {
    const { database, clock, limits } = this.options;
    const free = limits.concurrency - this.running.size;
    if (free === 0) return 0;
    const failing = [...this.running.values()].filter(({ isFailing }) => isFailing).length;
    const feeds = await leaseWebhookFeeds(database, {
      now: clock.now(),
      limit: free,
      limitFailing: Math.max(0, Math.ceil(limits.concurrency / 2) - failing),
      perWebhook: limits.perWebhook,
      leaseMs: this.leaseMs,
    });
    for (const hold of feeds) {
      const served = this.serve(hold)
        .catch((error: unknown) => this.reportError(error))
        .finally(() => {
          this.running.delete(served);
          this.pause.kick();
        });
      this.running.set(served, hold);
    }
    return feeds.length;
  }

  /** Sends the events of a feed in order, until one has to wait. */
  private async serve(hold: FeedHold): Promise<void> {
    const { clock, timeoutMs } = this.options;
    let outcome: DeliveredOutcome | null = null;
    for (let sent = 0; ; sent += 1) {
      const advanced = await this.advance(hold, outcome);
      if (advanced === null) return;
      const { next, failures, heldUntil } = advanced;
      if (outcome && failures !== null) this.reports.attempt(hold, outcome, failures);
      if (next === null) return;
      // A process that was stopped for a while may have lost the feed meanwhile.
      const isHeld = clock.now() + timeoutMs < heldUntil;
      if (!isHeld || sent >= EVENTS_PER_TURN || this.pause.isStopped) return this.release(hold);
      const startedMs = clock.monotonicNow();
      outcome = await deliverEvent(next, hold, this.interrupting.signal, this.options);
      if (outcome === null) return this.release(hold);
      this.reports.time(outcome, clock.monotonicNow() - startedMs);
    }
  }

  /** Null: somebody else has the feed by now. */
  private async advance(hold: FeedHold, outcome: DeliveredOutcome | null) {
    const { clock, ids } = this.options;
    const advanced = await this.inFeed(hold, async (tx) => {
      const now = clock.now();
      const result = await advanceFeed(tx, hold, outcome, { now, leaseMs: this.leaseMs, ids });
      return typeof result === 'string' ? result : { ...result, heldUntil: now + this.leaseMs };
    });
    return advanced === 'lost' || advanced === 'locked' ? null : advanced;
  }

  private async release(hold: FeedHold): Promise<void> {
    await this.inFeed(hold, (tx) => releaseFeed(tx, hold, this.options.clock.now()));
  }

  /** Works on a feed as soon as nobody else does; `locked` only when the process stops meanwhile. */
  private async inFeed<T>(hold: FeedHold, work: (tx: Tx) => Promise<T | 'locked'>): Promise<T | 'locked'> {
    for (let waitMs = SHORTEST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const result = await this.transactions.runExclusive(() => this.options.database.inTenant(hold.tenantId, work));
      if (result !== 'locked' || this.interrupting.signal.aborted) return result;
      await delay(waitMs);
    }
  }

  private reportError(error: unknown): void {
    // Outages of the database are logged elsewhere; leases end by themselves.
    if (!(error instanceof DatabaseUnavailableError)) this.options.logger.error('webhooks_failed', { error });
  }
}
