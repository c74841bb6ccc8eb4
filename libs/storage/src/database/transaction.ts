import { userPseudonym } from '@annals/domain';
import type { Writable } from 'node:stream';
import type { PoolClient, QueryResult } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { NIL_UUID } from './cursor.js';
import { toReaderError } from './errors.js';
import type { PrimaryConnections } from './primary-connections.js';
import { type SetStatement, toParameters } from './set-statement.js';
import { limitsOfPath, renderLocalLimits, type StatementLimits } from './statement-limits.js';
import type { PieceStatements } from './statement-turns.js';

/** An id that no tenant has: a transaction under it sees only rows that belong to no tenant. */
export const NO_TENANT = NIL_UUID;

/**
 * Sends all data for PostgreSQL that is written until the end of the running task and its promises in one write: a
 * system call per statement costs more than the bytes of the statement (accept, 16 callers: 15 % more a second).
 */
export function corkWrites(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A row as PostgreSQL returns it: column names in snake_case. */
export type Row = Record<string, unknown>;

/** Columns that are null where an outer join found no row. */
export type Nullable<R> = { [Column in keyof R]: R[Column] | null };

/**
 * A running transaction of one tenant. Row-level security restricts every read and write to that tenant. Only SQL may
 * be awaited inside (docs/reference/isolation.md#no-waiting-inside-a-transaction).
 */
export interface Tx {
  readonly tenantId: string;
  /** Whether this process asks for work of minds; `enqueueWork` leaves it out otherwise. */
  readonly asksMinds: boolean;
  /** The user's pseudonym in the audit chain. Throws when the database was opened without a chain key. */
  pseudonymOf(userId: string): string;
  /** The installation's chain key. Throws when the database was opened without one. */
  readonly chainKey: Uint8Array;
  /** Rows of one statement. Statements that are started without awaiting each other share a round trip. */
  query<R extends object = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]>;
  /** Number of rows changed by one statement. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<number>;
  /** Rows of a statement for one piece of work: work that shares this transaction sends it as one. */
  each<Given extends object, Returned extends object>(
    statement: SetStatement<Given, Returned>,
    given: Given,
  ): Promise<Returned[]>;
  /** Awaits statements without a needed result together with the commit: a round trip less. A failure rolls back. */
  atCommit(...statements: readonly Promise<unknown>[]): void;
  /** Statements from here on read or write all of a user or tenant at once: they have the limit of path `bulk`. */
  allowBulk(): void;
  /**
   * The rows of a plain table, without SQL (docs/decisions/0038-entities-type-rows-repositories-for-plain-tables.md).
   * Await each call inside the transaction: TypeORM sends the statement a moment after the call, too late for
   * `atCommit` and `readTenantPipelined`.
   */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
}

/** Maximum prepared statements: a connection holds a plan of each, and callers' filters vary the SQL texts. */
export const MAX_PREPARED_STATEMENTS = 256;

/** Names a statement by its text, so that a connection parses it once. Statements beyond the limit are not prepared. */
const statementNames = new Map<string, string>();
function buildStatementName(sql: string): { name?: string } {
  const known = statementNames.get(sql);
  if (known !== undefined) return { name: known };
  if (statementNames.size >= MAX_PREPARED_STATEMENTS) return {};
  const name = `annals_${statementNames.size}`;
  statementNames.set(sql, name);
  return { name };
}

/** What a transaction runs with. */
interface TxParts {
  readonly tenantId: string;
  readonly client: PoolClient;
  readonly connections: PrimaryConnections;
  readonly prepared: boolean;
  readonly source: DataSource;
  readonly key: Uint8Array | undefined;
  readonly asksMinds: boolean;
  readonly limits: StatementLimits;
  /** Of work that shares its transaction: its statements are sent turn by turn, with those of its neighbours. */
  readonly piece?: PieceStatements;
}

/** Runs statements on a connection inside a transaction that the caller has begun. */
export class ClientTx implements Tx {
  /** Statements deferred to the commit. */
  readonly deferred: Promise<unknown>[] = [];
  private isClosed = false;
  private manager: EntityManager | undefined;

  readonly tenantId: string;
  readonly asksMinds: boolean;

  constructor(private readonly parts: TxParts) {
    this.tenantId = parts.tenantId;
    this.asksMinds = parts.asksMinds;
  }

  get chainKey(): Uint8Array {
    return requireChainKey(this.parts.key);
  }

  pseudonymOf(userId: string): string {
    return userPseudonym(this.chainKey, this.tenantId, userId);
  }

  async query<R extends object = Row>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return (await this.run(sql, parameters)).rows as R[];
  }

  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters)).rowCount ?? 0;
  }

  async each<Given extends object, Returned extends object>(
    statement: SetStatement<Given, Returned>,
    given: Given,
  ): Promise<Returned[]> {
    const { piece } = this.parts;
    if (!piece) return (await this.run(statement.sql, toParameters([given]))).rows as Returned[];
    this.assertOpen();
    return (await piece.each(statement, given)).rows as Returned[];
  }

  atCommit(...statements: readonly Promise<unknown>[]): void {
    // The commit handles a failure; until then it must not count as an unhandled rejection.
    for (const statement of statements) statement.catch(() => undefined);
    this.deferred.push(...statements);
  }

  allowBulk(): void {
    const { client, connections, limits } = this.parts;
    const ofBulk = limitsOfPath(limits, 'bulk');
    if (ofBulk === limits) return;
    connections.expectAnswers(client, ofBulk);
    // Sent before the statements that it is for, and fails only with the whole transaction.
    this.atCommit(this.run(`SELECT true${renderLocalLimits(ofBulk)}`, [], false));
  }

  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    this.manager ??= this.createManager();
    return this.manager.getRepository(entity);
  }

  /** From now on statements throw: they would run after the end of the transaction, where no tenant is set. */
  close(): void {
    this.isClosed = true;
    this.parts.piece?.end();
  }

  /** Statements of repositories run like all others, on this connection and inside this transaction. */
  private createManager(): EntityManager {
    const query = async (sql: string, parameters: readonly unknown[] = []) => {
      // Not prepared: TypeORM writes limits into the text, and each text would take a name from a hot statement.
      const { rows, rowCount } = await this.run(sql, parameters, false);
      return { raw: rows, records: rows, affected: rowCount };
    };
    return Object.assign(this.parts.source.createQueryRunner(), { query, isTransactionActive: true }).manager;
  }

  private run(sql: string, parameters: readonly unknown[], prepared = this.parts.prepared): Promise<QueryResult> {
    this.assertOpen();
    const { client, piece } = this.parts;
    return piece ? piece.plain(sql, parameters, prepared) : sendStatement(client, sql, parameters, prepared);
  }

  private assertOpen(): void {
    if (this.isClosed) throw new Error('The transaction has ended: start every statement before waiting for one.');
  }
}

/** `prepared`: whether the connection keeps its plan. */
export function sendStatement(
  client: PoolClient,
  sql: string,
  parameters: readonly unknown[],
  prepared: boolean,
): Promise<QueryResult> {
  corkWrites(client);
  return client.query({ text: sql, values: parameters as unknown[], ...(prepared ? buildStatementName(sql) : {}) });
}

export function requireChainKey(key: Uint8Array | undefined): Uint8Array {
  if (!key) throw new Error('The database was opened without a chain key: pass the one of deriveSecrets.');
  return key;
}

/** Awaits statements that were started together, all of them, so that no rejection is unhandled; throws the first. */
export async function allOf<const Statements extends readonly Promise<unknown>[]>(
  statements: Statements,
): Promise<{ -readonly [K in keyof Statements]: Awaited<Statements[K]> }> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof Statements]: Awaited<Statements[K]>;
  };
}

/** A read-only transaction of one tenant, on a connection of its own. */
export class ReadTransaction {
  private readonly client: PoolClient;
  private readonly tx: ClientTx;
  private readonly begun: Promise<unknown>;
  private hasEnded = false;

  /** `tenantId` was checked to be a UUID, so that it can be part of the SQL text. */
  constructor(
    { tenantId, client, limits, ...parts }: TxParts,
    private readonly onFailed: (error: unknown) => void,
  ) {
    this.client = client;
    this.tx = new ClientTx({ ...parts, tenantId, client, limits });
    corkWrites(client);
    const settings = `set_config('annals.tenant', '${tenantId}', true)${renderLocalLimits(limits)}`;
    // Each statement sees the same state: what one finds by a number of the index, the next one reads under that number.
    this.begun = client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT ${settings}`);
    this.begun.catch(() => undefined);
  }

  /** Returns the result of `work`, and ends the transaction afterwards unless it has ended already. */
  async answer<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      const result = await work(this.tx);
      await this.begun;
      return result;
    } catch (error) {
      const explained = toReaderError(error);
      this.onFailed(explained);
      throw explained;
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
