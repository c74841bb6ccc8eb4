import type { AdminQuery, JournalEntry } from '@annals/testing';

/** What runs, the meter and the ledger say about calls of minds. */
export interface MindAccounts {
  /** Draws of energy: one for each call that was sent, and for calls that a worker died before. */
  readonly draws: number;
  /** Calls that runs count: all that were answered, but for workers that died behind the answer. */
  readonly counted: number;
  /** Runs whose energy does not match their calls, though worker and database lived. */
  readonly inexactRuns: readonly object[];
  /** What the meter has gained: its level, and what was drawn, beyond what it began with. */
  readonly refilledMilli: number;
  /** What was drawn and not given back, as three sums that are kept apart. */
  readonly drawnMilli: readonly [meter: number, days: number, runs: number];
}

const PRICES = `(CASE kind WHEN 'insights' THEN 8000 WHEN 'summary' THEN 6000 ELSE 20000 END)`;

/** An outage of the database, epoch ms. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

export async function readMindAccounts(
  query: AdminQuery,
  { capacityMilli, outage }: { readonly capacityMilli: number; readonly outage: Outage },
): Promise<MindAccounts> {
  const [sums] = await query<Record<'meter' | 'level' | 'days' | 'runs' | 'draws' | 'calls', string>>(
    `SELECT (SELECT sum(consumed_milli) FROM energy_meters) AS meter, (SELECT sum(level_milli) FROM energy_meters) AS level,
            (SELECT sum(consumed_milli) FROM energy_usage) AS days, (SELECT sum(calls) FROM energy_usage) AS draws,
            (SELECT sum(energy_milli) FROM mind_runs) AS runs, (SELECT sum(calls) FROM mind_runs) AS calls`,
  );
  const inexactRuns = await query(
    `SELECT id, kind, state, calls, energy_milli FROM mind_runs
      WHERE energy_milli <> calls * ${PRICES} AND failure_code IS DISTINCT FROM 'interrupted' AND trigger <> 'manual'
            AND NOT (started_at <= to_timestamp($2 / 1000.0) AND ended_at >= to_timestamp($1 / 1000.0))
         OR energy_milli % ${PRICES} <> 0 OR energy_milli < calls * ${PRICES}`,
    [outage.from, outage.to],
  );
  const { meter, level, days, runs, draws, calls } = sums!;
  return {
    draws: Number(draws),
    counted: Number(calls),
    inexactRuns,
    refilledMilli: Number(level) + Number(meter) - capacityMilli,
    drawnMilli: [Number(meter), Number(days), Number(runs)],
  };
}

export interface LedgerComparison {
  /** Rows of calls of minds. */
  readonly rows: number;
  /** Of these, calls that nobody settled: charged in full. */
  readonly lost: number;
  /** Calls that ran into their timeout, as they may where every core is busy: charged in full, received or not. */
  readonly timedOut: number;
  /** Rows of answered calls without an answer of the server. A call that we ended brought none, and is charged in full. */
  readonly invented: readonly string[];
  readonly chargedLess: boolean;
}

/** Outcomes of calls that nobody read an answer of. */
const UNANSWERED = new Set(['lost', 'aborted', 'timeout']);

/** Compares what the model server counted with the ledger, answer by answer. */
export async function compareLedger(query: AdminQuery, entries: readonly JournalEntry[]): Promise<LedgerComparison> {
  const rows = await query<Record<'input' | 'output', number> & { cost: string; outcome: string }>(
    `SELECT input_tokens AS input, output_tokens AS output, cost_micro_usd AS cost, outcome FROM usage
      WHERE operation IN ('insights', 'consolidation', 'summary')`,
  );
  const open = new Map<string, number>();
  for (const { usage } of entries) {
    const tokens = `${usage?.inputTokens}/${usage?.outputTokens}`;
    open.set(tokens, (open.get(tokens) ?? 0) + 1);
  }
  const answered = rows.filter(({ outcome }) => !UNANSWERED.has(outcome));
  const invented = answered.flatMap(({ input, output, outcome }) => {
    const tokens = `${input}/${output}`;
    const left = open.get(tokens) ?? 0;
    open.set(tokens, left - 1);
    return left > 0 ? [] : [`${outcome} ${tokens}`];
  });
  const ledgerNanoUsd = rows.reduce((sum, { cost }) => sum + Number(cost) * 1_000, 0);
  const chargedNanoUsd = entries.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
  const countOf = (ended: string) => rows.filter(({ outcome }) => outcome === ended).length;
  return {
    rows: rows.length,
    lost: countOf('lost'),
    timedOut: countOf('timeout'),
    invented,
    chargedLess: ledgerNanoUsd < chargedNanoUsd,
  };
}
