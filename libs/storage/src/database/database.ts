import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import * as entities from '../entities/index.js';
import { dataSourceOptions, type PgConnection } from './connection.js';
import { DatabaseUnavailableError, sqlState, toCallerError } from './errors.js';
import { PrimaryConnections } from './primary-connections.js';
import {
  limitsOfGroup,
  limitsOfPath,
  renderLocalLimits,
  type StatementLimits,
  type StatementPath,
} from './statement-limits.js';
import { StatementTurns } from './statement-turns.js';
import { transact, TransactionFailedError } from './transact.js';
import { TransactionGroups } from './transaction-groups.js';
import {
  ReadTransaction,
  allOf,
  ClientTx,
  corkWrites,
  requireChainKey,
  sendStatement,
  type Tx,
} from './transaction.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const ignoreError = () => undefined;

interface DatabaseParts {
  readonly source: DataSource;
  readonly pool: Pool;
  readonly connections: PrimaryConnections;
  readonly prepared: boolean;
  readonly key: Uint8Array | undefined;
  readonly asksMinds: boolean;
  readonly limits: StatementLimits;
  readonly onStatementFailed: ((error: DatabaseUnavailableError) => void) | undefined;
}

export interface DatabaseOptions {
  /** Called for connections that broke while idle. The pool replaces them, but an operator may want to know. */
  readonly onConnectionLost?: (error: Error) => void;
  /** Called when a statement failed because of its limits, or since the server refuses writes. */
  readonly onStatementFailed?: (error: DatabaseUnavailableError) => void;
  /** Whether transactions ask for work of minds (docs/reference/minds.md#switching-minds-off). Default false. */
  readonly asksMinds?: boolean;
}

/**
 * The only access to PostgreSQL for services. It provides transactions of one tenant (`inTenant`) and calls of the few
 * functions that read across tenants (`callAcrossTenants`); there is no other way to run a statement
 * (docs/reference/isolation.md#statements-only-inside-of-a-tenant-transaction).
 */
export class Database {
  private readonly groups = new TransactionGroups({
    alone: (tenantId, work) => this.inTenant(tenantId, work),
    together: async (tenantId, works) => {
      try {
        return await this.transact(tenantId, limitsOfGroup(this.limits), works);
      } catch (error) {
        if (!(error instanceof TransactionFailedError)) throw error;
        const cause = toCallerError(error.cause);
        this.parts.connections.observe(cause);
        if (!error.isUndone) this.report(cause);
        throw new TransactionFailedError(cause, error.isUndone, error.broken);
      }
    },
  });

  private constructor(
    private readonly parts: DatabaseParts,
    private readonly limits: StatementLimits = parts.limits,
  ) {}

  static async open(
    connection: PgConnection,
    { onConnectionLost, onStatementFailed, asksMinds = false }: DatabaseOptions = {},
  ): Promise<Database> {
    const source = new DataSource({
      ...dataSourceOptions(connection),
      entities,
      poolErrorHandler: (error: Error) => onConnectionLost?.(error),
    });
    try {
      await source.initialize();
    } catch (error) {
      throw toCallerError(error);
    }
    const pool = (source.driver as unknown as { master: Pool }).master;
    // A connection that breaks between two statements of a checked-out client emits an event of its own; the current or
    // next statement fails with the same error and is handled there. TypeORM has opened the first connection by now, so
    // the listener is added when a client is acquired, not when it connects.
    pool.on('acquire', (client) => client.off('error', ignoreError).on('error', ignoreError));
    const connections = new PrimaryConnections(pool, () => performance.now());
    const { prepared = false, chainKey: key, limits = {} } = connection;
    return new Database({ source, pool, connections, prepared, key, asksMinds, limits, onStatementFailed });
  }

  /** The same database, with the limits of statements of a path. */
  forPath(path: StatementPath): Database {
    return new Database(this.parts, limitsOfPath(this.parts.limits, path));
  }

  /**
   * Runs `work` in one transaction of one tenant and commits it. Throws what `work` throws after rolling back, and
   * DatabaseUnavailableError when PostgreSQL is unavailable.
   */
  async inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      const [result] = await this.transact(tenantId, this.limits, [work]);
      return result!;
    } catch (error) {
      throw error instanceof TransactionFailedError ? this.explain(error.cause) : error;
    }
  }

  /**
   * The same in a transaction that work of other callers may share
   * (docs/reference/writes.md#transactions-that-work-shares): on return it is committed. `key`: what the work locks, such
   * as a user's id; work with one key runs one after the other. **`work` may run twice**, when a neighbour's failure has
   * undone it, so it must do nothing but SQL.
   */
  async inTenantTogether<T>(tenantId: string, key: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.groups.run(tenantId, key, work);
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
    const { totalCount, idleCount, waitingCount } = this.parts.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** The installation's chain key. Throws when the database was opened without one. */
  get chainKey(): Uint8Array {
    return requireChainKey(this.parts.key);
  }

  /**
   * From now on a statement that PostgreSQL says nothing about for `silenceMs` fails, whatever it may take otherwise: a
   * process that stops does not wait for connections that a failover stranded.
   */
  limitSilence(silenceMs: number): void {
    this.parts.connections.limitSilence(silenceMs);
  }

  /** Work that was asked for is done first. */
  async close(): Promise<void> {
    await this.groups.whenIdle();
    this.parts.connections.limitFarewell();
    if (this.parts.source.isInitialized) await this.parts.source.destroy();
  }

  private async transact<T>(
    tenantId: string,
    limits: StatementLimits,
    works: readonly ((tx: Tx) => Promise<T>)[],
  ): Promise<T[]> {
    assertTenantId(tenantId);
    // The id was checked to be a UUID, so it can be part of the SQL text: one simple query opens and scopes the
    // transaction.
    const begin = `BEGIN; SELECT set_config('annals.tenant', '${tenantId}', true)${renderLocalLimits(limits)}`;
    const client = await this.checkOut();
    let broken: Error | undefined;
    try {
      const { prepared } = this.parts;
      const turns =
        works.length === 1
          ? null
          : new StatementTurns((sql, parameters, keepsPlan) =>
              sendStatement(client, sql, parameters, keepsPlan && prepared),
            );
      const members = works.map((work) => {
        const piece = turns ? { piece: turns.addPiece() } : {};
        return { work, tx: new ClientTx({ ...this.parts, ...piece, tenantId, client, limits: this.limits }) };
      });
      return await transact(client, { begin, members, turns });
    } catch (error) {
      if (error instanceof TransactionFailedError) ({ broken } = error);
      throw error;
    } finally {
      this.parts.connections.release(client, broken);
    }
  }

  /** One statement in a transaction of its own, of no tenant. */
  private async runAlone<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    const client = await this.checkOut();
    let broken: Error | undefined;
    try {
      return (await this.queryAlone(client, sql, parameters)).rows as R[];
    } catch (error) {
      if (sqlState(error) === undefined) broken = error as Error;
      throw this.explain(error);
    } finally {
      this.parts.connections.release(client, broken);
    }
  }

  private async queryAlone(client: PoolClient, sql: string, parameters: readonly unknown[]): Promise<QueryResult> {
    const { parts, limits } = this;
    // The connection has the limits of its process; those of a path need a transaction.
    if (limits === parts.limits) return client.query(sql, [...parameters]);
    corkWrites(client);
    const [, result] = await allOf([
      client.query(`BEGIN; SELECT true${renderLocalLimits(limits)}`),
      client.query(sql, [...parameters]),
      client.query('COMMIT'),
    ]);
    return result;
  }

  /** What a caller gets for an error of a statement. A read-only server loses its connections. */
  private explain(error: unknown): unknown {
    const explained = toCallerError(error);
    this.parts.connections.observe(explained);
    this.report(explained);
    return explained;
  }

  private report(error: unknown): void {
    if (error instanceof DatabaseUnavailableError) this.parts.onStatementFailed?.(error);
  }

  private async beginReadTransaction(tenantId: string): Promise<ReadTransaction> {
    assertTenantId(tenantId);
    const client = await this.checkOut();
    return new ReadTransaction({ ...this.parts, asksMinds: false, tenantId, client, limits: this.limits }, (error) => {
      this.parts.connections.observe(error);
      this.report(error);
    });
  }

  private async checkOut(): Promise<PoolClient> {
    try {
      const client = await this.parts.connections.checkOut();
      this.parts.connections.expectAnswers(client, this.limits);
      return client;
    } catch (error) {
      throw new DatabaseUnavailableError(error);
    }
  }
}

function assertTenantId(tenantId: string): void {
  if (!UUID.test(tenantId)) throw new Error('A tenant id must be a lower-case UUID.');
}
