import type { Pool, PoolClient } from 'pg';
import { DatabaseReadOnlyError } from './errors.js';
import { limitSilence } from './silence.js';

/** While a server stays read-only, its connections are replaced this often: each time, the address may lead elsewhere. */
const MIN_RENEWAL_MS = 2_000;

/** How long PostgreSQL may take to end a connection when its pool ends. */
const FAREWELL_MS = 1_000;

/**
 * Connections of a pool, without those to a server that has become read-only: after a failover the address leads to the
 * new primary, yet open connections stay with the old one for as long as it runs. The first refused write outdates all
 * connections that are open by then; they still answer reads until they are checked out or released next.
 */
export class PrimaryConnections {
  private readonly generations = new WeakMap<PoolClient, number>();
  private readonly open = new Set<PoolClient>();
  private generation = 0;
  private renewedMs = -Infinity;

  /** `monotonicNow`: ms of a clock that never goes back. */
  constructor(
    private readonly pool: Pool,
    private readonly monotonicNow: () => number,
  ) {
    pool.on('connect', (client) => this.generations.set(client, this.generation));
    pool.on('acquire', (client) => this.open.add(client));
    pool.on('remove', (client) => this.open.delete(client));
    // An idle connection is silent by nature.
    pool.on('release', (_error, client) => limitSilence(client, 0));
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

  /** Outdates all open connections when `error` says that their server is read-only. */
  observe(error: unknown): void {
    if (!(error instanceof DatabaseReadOnlyError)) return;
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
