import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError, isTransientDatabaseError } from './errors.js';
import { ClientTx, corkWrites, type Tx } from './transaction.js';

/** A read-only transaction of one tenant, on a connection of its own. */
export class ReadTransaction {
  private readonly tx: ClientTx;
  private readonly begun: Promise<unknown>;
  private hasEnded = false;

  /** @param tenantId checked to be a UUID, so that it can be part of the SQL text */
  constructor(
    tenantId: string,
    private readonly client: PoolClient,
    prepared: boolean,
    source: DataSource,
  ) {
    this.tx = new ClientTx(tenantId, client, prepared, source);
    corkWrites(client);
    this.begun = client.query(`BEGIN READ ONLY; SELECT set_config('annals.tenant', '${tenantId}', true)`);
    this.begun.catch(() => undefined);
  }

  /** Returns the result of `work`, and ends the transaction afterwards unless it has ended already. */
  async answer<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.tx);
      await this.begun;
      return result;
    } catch (error) {
      throw isTransientDatabaseError(error) ? new DatabaseUnavailableError(error) : error;
    } finally {
      this.end();
    }
  }

  /** Sends the transaction's end after the statements that were started, without waiting for it. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.tx.close();
    corkWrites(this.client);
    // COMMIT of a failed transaction rolls it back, so it ends both successful and failed ones.
    this.client.query('COMMIT').then(
      () => this.client.release(),
      (error: Error) => this.client.release(error),
    );
  }
}
