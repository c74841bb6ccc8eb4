import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import * as entities from '../entities/index.js';
import { dataSourceOptions, type PgConnection } from './connection.js';
import { DatabaseUnavailableError, isTransientDatabaseError, sqlState, toCallerError } from './errors.js';
import { PrimaryConnections } from './primary-connections.js';
import { ReadTransaction, allOf, ClientTx, corkWrites, requireChainKey, type Tx } from './transaction.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const ignoreError = () => undefined;

export interface DatabaseOptions {
  /** Called for connections that broke while idle. The pool replaces them, but an operator may want to know. */
  readonly onConnectionLost?: (error: Error) => void;
  /** Whether transactions ask for work of minds (docs/reference/minds.md#switching-minds-off). Default false. */
  readonly asksMinds?: boolean;
}

/**
 * The only access to PostgreSQL for services. It provides transactions of one tenant (`inTenant`) and calls of the few
 * functions that read across tenants (`callAcrossTenants`); there is no other way to run a statement
 * (docs/reference/isolation.md#statements-only-inside-of-a-tenant-transaction).
 */
export class Database {
  private constructor(
    private readonly source: DataSource,
    private readonly pool: Pool,
    private readonly connections: PrimaryConnections,
    private readonly prepared: boolean,
    private readonly key: Uint8Array | undefined,
    private readonly asksMinds: boolean,
  ) {}

  static async open(
    connection: PgConnection,
    { onConnectionLost, asksMinds = false }: DatabaseOptions = {},
  ): Promise<Database> {
    const source = new DataSource({
      ...dataSourceOptions(connection),
      entities,
      poolErrorHandler: (error: Error) => onConnectionLost?.(error),
    });
    try {
      await source.initialize();
    } catch (error) {
      throw isTransientDatabaseError(error) ? new DatabaseUnavailableError(error) : error;
    }
    const pool = (source.driver as unknown as { master: Pool }).master;
    // A connection that breaks between two statements of a checked-out client emits an event of its own; the current or
    // next statement fails with the same error and is handled there. TypeORM has opened the first connection by now, so
    // the listener is added when a client is acquired, not when it connects.
    pool.on('acquire', (client) => client.off('error', ignoreError).on('error', ignoreError));
    const connections = new PrimaryConnections(pool, () => performance.now());
    return new Database(source, pool, connections, connection.prepared ?? false, connection.chainKey, asksMinds);
  }

  /**
   * Runs `work` in one transaction of one tenant and commits it. Throws what `work` throws after rolling back, and
   * DatabaseUnavailableError when PostgreSQL is unavailable.
   */
  async inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    assertTenantId(tenantId);
    // The id was checked to be a UUID, so it can be part of the SQL text: one simple query opens and scopes the
    // transaction.
    return this.transact(`BEGIN; SELECT set_config('annals.tenant', '${tenantId}', true)`, tenantId, work);
  }

  /** For work that only reads: the result does not wait for the transaction's end. PostgreSQL rejects a write. */
  async readTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const transaction = await this.beginReadTransaction(tenantId);
    return transaction.answer(work);
  }

  /** For work that starts all statements before it awaits one: the end is sent with them; a later statement throws. */
  async readTenantPipelined<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const transaction = await this.beginReadTransaction(tenantId);
    return transaction.answer((tx) => {
      const answer = work(tx);
      transaction.end();
      return answer;
    });
  }

  /** Rows that one of the functions of `annals` returns that read across tenants. */
  async callAcrossTenants<R extends object>(name: string, parameters: readonly unknown[] = []): Promise<R[]> {
    const placeholders = parameters.map((_, index) => `$${index + 1}`).join(', ');
    return this.runAlone<R>(`SELECT * FROM annals.${name}(${placeholders})`, parameters);
  }

  /** The same for a function that returns one value. */
  async callScalarAcrossTenants<T>(name: string, parameters: readonly unknown[] = []): Promise<T> {
    const [row] = await this.callAcrossTenants<Record<string, T>>(name, parameters);
    return Object.values(row!)[0] as T;
  }

  /** Resolves when PostgreSQL responds. */
  async ping(): Promise<void> {
    await this.callAcrossTenants('next_work_due', [new Date(0)]);
  }

  /** Whether the server refuses writes: a standby, or one that was set to be read-only. */
  async isReadOnly(): Promise<boolean> {
    const [row] = await this.runAlone<{ read_only: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS read_only`,
    );
    return row!.read_only;
  }

  /** Number of connections in use and idle, and of callers that wait for one. */
  get poolStats(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  /** The installation's chain key. Throws when the database was opened without one. */
  get chainKey(): Uint8Array {
    return requireChainKey(this.key);
  }

  async close(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async transact<T>(begin: string, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.checkOut();
    const tx = new ClientTx(tenantId, client, this.prepared, this.source, this.key, this.asksMinds);
    let broken: Error | undefined;
    try {
      // Not awaited on its own: `work`'s first statement goes out in the same round trip.
      corkWrites(client);
      const begun = client.query(begin);
      begun.catch(() => undefined);
      const result = await work(tx);
      tx.close();
      corkWrites(client);
      const [committed] = await allOf([client.query('COMMIT'), begun, ...tx.deferred]);
      // For a failed transaction, the command tag of COMMIT is ROLLBACK.
      if (committed.command !== 'COMMIT')
        throw new Error('The transaction was rolled back because one of its statements failed.');
      return result;
    } catch (error) {
      // A statement that starts after the rollback would run without a tenant.
      tx.close();
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      // Statements after a failed one only report that the transaction is aborted, so the error of the failed one is
      // thrown.
      const cause = (await tx.findDeferredFailure()) ?? error;
      throw this.explain(cause);
    } finally {
      this.connections.release(client, broken);
    }
  }

  /** One statement in a transaction of its own, of no tenant. */
  private async runAlone<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    const client = await this.checkOut();
    let broken: Error | undefined;
    try {
      return (await client.query(sql, parameters as unknown[])).rows as R[];
    } catch (error) {
      if (sqlState(error) === undefined) broken = error as Error;
      throw this.explain(error);
    } finally {
      this.connections.release(client, broken);
    }
  }

  /** What a caller gets for an error of a statement. A read-only server loses its connections. */
  private explain(error: unknown): unknown {
    const explained = toCallerError(error);
    this.connections.observe(explained);
    return explained;
  }

  private async beginReadTransaction(tenantId: string): Promise<ReadTransaction> {
    assertTenantId(tenantId);
    return new ReadTransaction(tenantId, await this.checkOut(), this.prepared, this.source, this.key);
  }

  private async checkOut(): Promise<PoolClient> {
    try {
      return await this.connections.checkOut();
    } catch (error) {
      throw new DatabaseUnavailableError(error);
    }
  }
}

function assertTenantId(tenantId: string): void {
  if (!UUID.test(tenantId)) throw new Error('A tenant id must be a lower-case UUID.');
}
