import type { QueryResult } from 'pg';
import { type SetStatement, splitByPiece, toParameters } from './set-statement.js';

export type SendStatement = (sql: string, parameters: readonly unknown[], prepared: boolean) => Promise<QueryResult>;

interface Statement {
  /** Equal for statements that can be sent as one. */
  readonly key: unknown;
  readonly sql: string;
  /** Of a set statement: what its piece of work gives. */
  readonly given: object | undefined;
  readonly parameters: readonly unknown[];
  readonly prepared: boolean;
  readonly resolve: (result: Pick<QueryResult, 'rows' | 'rowCount'>) => void;
  readonly reject: (error: unknown) => void;
}

/** The statements of one piece of work. */
export interface PieceStatements {
  plain(sql: string, parameters: readonly unknown[], prepared: boolean): Promise<QueryResult>;
  each(statement: Pick<SetStatement<never>, 'sql'>, given: object): Promise<QueryResult>;
  /** Its work has ended: its statements may wait for the commit. */
  end(): void;
}

/** The transaction of a statement failed before the statement was sent. */
export class UnsentStatementError extends Error {
  override readonly name = 'UnsentStatementError';

  constructor() {
    super('The transaction had failed before this statement was sent.');
  }
}

class Piece implements PieceStatements {
  readonly statements: Statement[] = [];
  hasEnded = false;

  constructor(private readonly onAdded: () => void) {}

  plain(sql: string, parameters: readonly unknown[], prepared: boolean): Promise<QueryResult> {
    return this.add({ key: {}, sql, given: undefined, parameters, prepared });
  }

  each(statement: Pick<SetStatement<never>, 'sql'>, given: object): Promise<QueryResult> {
    return this.add({ key: statement.sql, sql: statement.sql, given, parameters: [], prepared: true });
  }

  end(): void {
    this.hasEnded = true;
  }

  private add(statement: Omit<Statement, 'resolve' | 'reject'>): Promise<QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    // One that nobody waits for is rejected with its transaction, which says so.
    promise.catch(() => undefined);
    this.statements.push({ ...statement, resolve: resolve as Statement['resolve'], reject });
    this.onAdded();
    return promise;
  }
}

/**
 * Sends what the pieces of work of one transaction ask for, turn by turn: all that is asked for until the end of the
 * running task and its promises. Equal set statements of a turn are sent as one; each piece's own statements keep their
 * order. What is left of pieces that have ended is sent with the last turn.
 */
export class StatementTurns {
  private readonly pieces: Piece[] = [];
  private isScheduled = false;

  constructor(private readonly send: SendStatement) {}

  addPiece(): PieceStatements {
    const piece = new Piece(() => this.schedule());
    this.pieces.push(piece);
    return piece;
  }

  /** Sends everything that waits. */
  flush(): void {
    this.sendOf(this.pieces);
  }

  /** Rejects everything that waits. */
  abandon(): void {
    const unsent = this.pieces.flatMap(({ statements }) => statements.splice(0));
    for (const { reject } of unsent) reject(new UnsentStatementError());
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    process.nextTick(() => {
      this.isScheduled = false;
      this.sendOf(this.pieces.filter(({ hasEnded }) => !hasEnded));
    });
  }

  private sendOf(pieces: readonly Piece[]): void {
    for (const statements of mergeInOrder(pieces.map((piece) => piece.statements.splice(0)))) this.sendOne(statements);
  }

  private sendOne(statements: readonly Statement[]): void {
    const [{ sql, given, parameters, prepared }] = statements as [Statement];
    const values = given === undefined ? parameters : toParameters(statements.map((statement) => statement.given!));
    this.send(sql, values, prepared).then(
      (result) => {
        if (given === undefined) return statements[0]!.resolve(result);
        const parts = splitByPiece(result.rows as object[], statements.length);
        for (const [index, { resolve }] of statements.entries()) {
          resolve({ rows: parts[index]!, rowCount: parts[index]!.length });
        }
      },
      (error: unknown) => {
        for (const { reject } of statements) reject(error);
      },
    );
  }
}

/**
 * One order of several lists that keeps the order of each, with equal statements at one place where that is possible: a
 * statement is taken once no list has it further behind.
 */
function mergeInOrder(lists: readonly Statement[][]): Statement[][] {
  const behind = new Map<unknown, number>();
  const count = (key: unknown, change: number) => behind.set(key, (behind.get(key) ?? 0) + change);
  for (const list of lists) for (const { key } of list.slice(1)) count(key, 1);
  const next = lists.map(() => 0);
  const merged: Statement[][] = [];
  for (;;) {
    const heads = lists.flatMap((list, index) => list[next[index]!] ?? []);
    const [first] = heads;
    if (!first) return merged;
    const { key } = heads.find((head) => (behind.get(head.key) ?? 0) === 0) ?? first;
    merged.push(heads.filter((head) => head.key === key));
    for (const [index, list] of lists.entries()) {
      if (list[next[index]!]?.key !== key) continue;
      next[index]! += 1;
      const head = list[next[index]!];
      if (head) count(head.key, -1);
    }
  }
}
