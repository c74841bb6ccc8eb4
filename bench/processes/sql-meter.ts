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

interface Meter {
  /** Completed round trips; a statement that is sent now belongs to the next one. */
  depth: number;
  depthAtBegin: number;
  inTransaction: boolean;
  writesMemories: boolean;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Counts at the driver: a statement that is sent before the response to an earlier one shares its round trip. */
export function meterSql(): () => SqlFigures {
  const meters = new WeakMap<pg.Client, Meter>();
  const totals = { transactions: 0, memoryTransactions: 0, statements: 0, roundTrips: 0, calls: 0 };
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const send = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = extractText(args[0]);
    const meter = meters.get(this) ?? { depth: 0, depthAtBegin: 0, inTransaction: false, writesMemories: false };
    meters.set(this, meter);
    begin(meter, text);
    const depth = meter.depth + 1;
    const answer = send.apply(this, args);
    if (answer instanceof Promise) {
      const settle = () => {
        meter.depth = Math.max(meter.depth, depth);
        if (/^(?:COMMIT|ROLLBACK)/.test(text)) end(meter);
      };
      answer.then(settle, settle);
    }
    return answer;
  };
  return () => ({ ...totals });

  function begin(meter: Meter, text: string): void {
    if (text.startsWith('BEGIN')) {
      Object.assign(meter, { inTransaction: true, writesMemories: false, depthAtBegin: meter.depth });
      totals.transactions += 1;
    }
    if (!meter.inTransaction) totals.calls += 1;
    else totals.statements += text.startsWith('BEGIN') ? text.split(';').length : 1;
    if (/\b(?:INSERT INTO|UPDATE) memories\b/.test(text)) meter.writesMemories = true;
  }

  function end(meter: Meter): void {
    if (!meter.inTransaction) return;
    meter.inTransaction = false;
    totals.roundTrips += meter.depth - meter.depthAtBegin;
    if (meter.writesMemories) totals.memoryTransactions += 1;
  }
}

function extractText(query: unknown): string {
  return typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
}
