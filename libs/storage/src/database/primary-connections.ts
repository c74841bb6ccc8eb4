import type { Pool, PoolClient } from 'pg';
import { DatabaseReadOnlyError, DatabaseUnavailableError } from './errors.js';
import { limitSilence, SilentConnectionError } from './silence.js';
import { computeSilenceMs, type StatementLimits } from './statement-limits.js';

/** While a server stays read-only, its connections are replaced this often: each time, the address may lead elsewhere. */
const MIN_RENEWAL_MS = 2_000;

/** How long PostgreSQL may take to end a connection when its pool ends. */
const FAREWELL_MS = 1_000;

/**
 * Connections of a pool, without those to a server that has become read-only or silent: after a failover the address leads
 * to the new primary, yet open connections stay with the old one for as long as it runs, or for good when nothing closes
 * them. The first refused write, and the first connection that stays silent, outdate all connections that are open by then;
 * they still answer reads until they are checked out or released next.
 */
export class PrimaryConnections {
  private readonly generations = new WeakMap<PoolClient, number>();
  private readonly open = new Set<PoolClient>();
  private readonly busy = new Set<PoolClient>();
  private maxSilenceMs = Infinity;
  private generation = 0;
  private renewedMs = -Infinity;

  /** `monotonicNow`: ms of a clock that never goes back. */
  constructor(
    private readonly pool: Pool,
    private readonly monotonicNow: () => number,
  ) {
    pool.on('connect', (client) => this.generations.set(client, this.generation));
    pool.on('acquire', (client) => {
      this.open.add(client);
      this.busy.add(client);
    });
    pool.on('remove', (client) => {
      this.open.delete(client);
      this.busy.delete(client);
    });
    pool.on('release', (_error, client) => {
      this.busy.delete(client);
      // An idle connection is silent by nature.
      limitSilence(client, 0);
    });
  }

  async checkOut(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect();
      if (this.isCurrent(client)) return client;
      client.release(true);
    }
  }

  /** `broken`: the connection must not be used again. */
  release(client: PoolClient, broken?: Error): void {
    client.release(broken ?? !this.isCurrent(client));
  }

  /** How long the statements that follow on this connection may stay without an answer. */
  expectAnswers(client: PoolClient, limits: StatementLimits): void {
    const silenceMs = Math.min(computeSilenceMs(limits) || Infinity, this.maxSilenceMs);
    limitSilence(client, Number.isFinite(silenceMs) ? silenceMs : 0);
  }

  /** From now on no connection is waited for that says nothing for this long. */
  limitSilence(silenceMs: number): void {
    this.maxSilenceMs = silenceMs;
    for (const client of this.busy) limitSilence(client, silenceMs);
  }

  /** Outdates all open connections when `error` says that their server is read-only, or that one of them is silent. */
  observe(error: unknown): void {
    const isSilent = error instanceof DatabaseUnavailableError && error.cause instanceof SilentConnectionError;
    if (!isSilent && !(error instanceof DatabaseReadOnlyError)) return;
    const now = this.monotonicNow();
    if (now - this.renewedMs < MIN_RENEWAL_MS) return;
    this.renewedMs = now;
    this.generation += 1;
  }

  /** Call it before the pool is ended: a silent server says no goodbye, and its connections are ended without one. */
  limitFarewell(): void {
    for (const client of this.open) limitSilence(client, FAREWELL_MS);
  }

  private isCurrent(client: PoolClient): boolean {
    // Those that were open before this object existed are of the first generation.
    return (this.generations.get(client) ?? 0) === this.generation;
  }
}
