import type { PoolClient } from 'pg';
import { sqlState } from './errors.js';
import { type StatementTurns, UnsentStatementError } from './statement-turns.js';
import { allOf, type ClientTx, corkWrites } from './transaction.js';

/** A transaction that has not returned its results. `cause`: of the first statement or piece of work that failed. */
export class TransactionFailedError extends Error {
  override readonly name = 'TransactionFailedError';

  constructor(
    override readonly cause: unknown,
    /** False when the connection broke during the commit: PostgreSQL may have carried it out. */
    readonly isUndone: boolean,
    /** Of the rollback: the connection must not be used again. */
    readonly broken: Error | undefined,
  ) {
    super('The transaction failed.');
  }
}

/** One piece of work of a transaction, with its own view of it. */
interface TransactionMember<T> {
  readonly tx: ClientTx;
  readonly work: (tx: ClientTx) => Promise<T>;
}

export interface Transaction<T> {
  /** The statement that opens it. */
  readonly begin: string;
  readonly members: readonly TransactionMember<T>[];
  /** Of work that shares it: where the statements of all members wait to be sent. */
  readonly turns: StatementTurns | null;
}

/**
 * Runs all work in one transaction, concurrently, and commits it: all of it or nothing.
 * @throws TransactionFailedError
 */
export async function transact<T>(client: PoolClient, { begin, members, turns }: Transaction<T>): Promise<T[]> {
  const closeAll = () => {
    for (const { tx } of members) tx.close();
  };
  const deferred = () => members.flatMap(({ tx }) => tx.deferred);
  let commit: Promise<'committed' | 'undone' | 'unknown'> | undefined;
  try {
    // Not awaited on its own: the first statement of the work goes out in the same round trip.
    corkWrites(client);
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const results = await allOf(
      members.map(async ({ tx, work }) => {
        const result = await work(tx);
        tx.close();
        return result;
      }),
    );
    turns?.flush();
    corkWrites(client);
    const committing = client.query('COMMIT');
    commit = committing.then(({ command }) => (command === 'COMMIT' ? 'committed' : 'undone'), describeCommitError);
    const [committed] = await allOf([committing, begun, ...deferred()]);
    // For a failed transaction, the command tag of COMMIT is ROLLBACK.
    if (committed.command !== 'COMMIT')
      throw new Error('The transaction was rolled back because one of its statements failed.');
    return results;
  } catch (error) {
    // A statement that starts after the rollback would run without a tenant.
    closeAll();
    turns?.abandon();
    const isUndone = (await commit) !== 'unknown';
    let broken: Error | undefined;
    await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
    // Statements after a failed one only report that the transaction is aborted, so the error of the failed one is
    // thrown.
    const settled = await Promise.allSettled(deferred());
    const failed = settled.find(
      (result) => result.status === 'rejected' && !(result.reason instanceof UnsentStatementError),
    );
    throw new TransactionFailedError((failed as PromiseRejectedResult | undefined)?.reason ?? error, isUndone, broken);
  }
}

/** SQLSTATE classes of a connection or server that ended (08, 57P): they say nothing about a commit under way. */
const CONNECTION_ENDED = /^(?:08|57P)/;

function describeCommitError(error: unknown): 'undone' | 'unknown' {
  const state = sqlState(error);
  return state === undefined || CONNECTION_ENDED.test(state) ? 'unknown' : 'undone';
}
