import pg from 'pg';

/** Statements and round trips of a process to PostgreSQL since its start. */
export interface SqlFigures {
  /** Transactions of a tenant. */
  readonly transactions: number;
  /** Those of them that wrote memories. */
  readonly memoryTransactions: number;
  /** Statements inside transactions, including BEGIN, the tenant's setting and COMMIT. */
  readonly statements: number;
  /** Round trips: how often a transaction waited for a response before it could continue. */
  readonly roundTrips: number;
  /** Calls outside of a tenant's transaction: the relay, the sweep, health. */
  readonly calls: number;
}

/** A transaction from its BEGIN to the answer to its end, behind which the next one may be sent already. */
interface Transaction {
  readonly depthAtBegin: number;
  writesMemories: boolean;
}

interface Meter {
  /** Completed round trips; a statement that is sent now belongs to the next one. */
  depth: number;
  /** That in which a statement that is sent now runs. */
  transaction: Transaction | undefined;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Counts at the driver: a statement that is sent before the response to an earlier one shares its round trip. A
 * transaction counts once, however many units of work share it.
 */
export function meterSql(): () => SqlFigures {
  const meters = new WeakMap<pg.Client, Meter>();
  const totals = { transactions: 0, memoryTransactions: 0, statements: 0, roundTrips: 0, calls: 0 };
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const send = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = extractText(args[0]);
    const meter = meters.get(this) ?? { depth: 0, transaction: undefined };
    meters.set(this, meter);
    const transaction = count(meter, text);
    const isEnd = /^(?:COMMIT|ROLLBACK)\b(?! TO)/.test(text);
    if (isEnd) meter.transaction = undefined;
    const depth = meter.depth + 1;
    const answer = send.apply(this, args);
    if (answer instanceof Promise) {
      const settle = () => {
        meter.depth = Math.max(meter.depth, depth);
        if (transaction && isEnd) end(transaction, depth);
      };
      answer.then(settle, settle);
    }
    return answer;
  };
  return () => ({ ...totals });

  function count(meter: Meter, text: string): Transaction | undefined {
    if (text.startsWith('BEGIN')) {
      meter.transaction = { depthAtBegin: meter.depth, writesMemories: false };
      totals.transactions += 1;
    }
    const { transaction } = meter;
    if (!transaction) totals.calls += 1;
    else totals.statements += text.startsWith('BEGIN') ? text.split(';').length : 1;
    if (transaction && /\b(?:INSERT INTO|UPDATE) memories\b/.test(text)) transaction.writesMemories = true;
    return transaction;
  }

  function end({ depthAtBegin, writesMemories }: Transaction, depth: number): void {
    totals.roundTrips += depth - depthAtBegin;
    if (writesMemories) totals.memoryTransactions += 1;
  }
}

function extractText(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
}
