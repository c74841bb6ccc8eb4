import type { CallOperation, UsageGroup } from '@annals/contracts';
import { buildPage, type CursorKind, parseCursor, NIL_UUID } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { UsageEntity, CallOutcome } from '../entities/ledger.entity.js';

interface UsageFigures {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicroUsd: number;
  /** Some of the figures are estimated, since a provider reported none. */
  readonly estimated: boolean;
}

/** The totals of one group of calls. Only the names that the calls are grouped by are set. */
export interface UsageRow extends UsageFigures {
  /** UTC day, as `YYYY-MM-DD`. */
  readonly day: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly operation: CallOperation | null;
  /** Also null for calls without a user. */
  readonly userId: string | null;
  /** Also null for calls without a batch. */
  readonly batchId: string | null;
  readonly callId: string | null;
  readonly outcome: CallOutcome | null;
  /** Epoch ms at which the call was settled. */
  readonly at: number | null;
}

export interface UsageRequest {
  /** First and last UTC day, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: UsageGroup;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

type CallColumns = Pick<
  UsageEntity,
  'day' | 'provider' | 'model' | 'operation' | 'user_id' | 'batch_id' | 'id' | 'outcome' | 'ts'
>;

const SUMMED = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cost_micro_usd'] as const;

const FIGURES_SQL = `count(*) AS calls, bool_or(u.estimated) AS estimated,
  ${SUMMED.map((column) => `sum(u.${column}) AS ${column}`).join(', ')}`;

/** Sums of bigint are numeric: text. Without any call they are null. */
type FiguresRow = Record<'calls' | (typeof SUMMED)[number], string | null> & { estimated: boolean | null };

type GroupRow = Partial<CallColumns> & FiguresRow;

/** Replaces a missing batch id where rows are sorted by it: a cursor cannot contain null. */
const NO_BATCH = NIL_UUID;

interface Grouping {
  /** Columns by which rows are grouped and sorted, by the name of the result column. */
  readonly key: Readonly<Partial<Record<keyof CallColumns, string>>>;
  readonly kinds: readonly CursorKind[];
  readonly order: 'ASC' | 'DESC';
  /** Further columns that are functionally dependent on the key. */
  readonly extraColumns: readonly (keyof CallColumns)[];
}

const GROUPINGS: Record<UsageGroup, Grouping> = {
  day: { key: { day: 'u.day' }, kinds: ['day'], order: 'DESC', extraColumns: [] },
  model: {
    key: { provider: 'u.provider', model: 'u.model', operation: 'u.operation' },
    kinds: ['text', 'text', 'text'],
    order: 'ASC',
    extraColumns: [],
  },
  user: { key: { user_id: `coalesce(u.user_id, '')` }, kinds: ['text'], order: 'ASC', extraColumns: [] },
  batch: { key: { batch_id: `coalesce(u.batch_id, '${NO_BATCH}')` }, kinds: ['uuid'], order: 'DESC', extraColumns: [] },
  call: {
    key: { id: 'u.id' },
    kinds: ['uuid'],
    order: 'DESC',
    extraColumns: ['day', 'provider', 'model', 'operation', 'user_id', 'batch_id', 'outcome', 'ts'],
  },
};

/** Usage and cost of the tenant's calls; by day, batch and call the newest first. Throws InvalidCursorError. */
export async function readUsage(tx: Tx, request: UsageRequest) {
  const grouping = GROUPINGS[request.groupBy];
  const after = parseCursor(request.cursor, grouping.kinds);
  const rows = await tx.query<GroupRow>(buildUsageQuery(grouping, after !== null), [
    request.from,
    request.to,
    request.limit + 1,
    ...(after ?? []),
  ]);
  const names = Object.keys(grouping.key) as (keyof CallColumns)[];
  return buildPage(rows, request.limit, toUsageRow, (row) => names.map((name) => String(row[name])));
}

function buildUsageQuery({ key, order, extraColumns }: Grouping, continued: boolean): string {
  const parts = Object.values(key);
  const columns = [
    ...Object.entries(key).map(([name, part]) => ({ name, part })),
    ...extraColumns.map((name) => ({ name, part: `u.${name}` })),
  ];
  const placeholders = parts.map((_, index) => `$${index + 4}`);
  const afterCursor = `AND (${parts.join(', ')}) ${order === 'ASC' ? '>' : '<'} (${placeholders.join(', ')})`;
  return `
    SELECT ${columns.map(({ name, part }) => `${name === 'day' ? `${part}::text` : part} AS ${name}`).join(', ')},
           ${FIGURES_SQL}
      FROM usage u WHERE u.day BETWEEN $1 AND $2 ${continued ? afterCursor : ''}
     GROUP BY ${[...parts, ...extraColumns.map((name) => `u.${name}`)].join(', ')}
     ORDER BY ${parts.map((part) => `${part} ${order}`).join(', ')} LIMIT $3`;
}

function toUsageRow(row: GroupRow): UsageRow {
  return {
    day: row.day ?? null,
    provider: row.provider ?? null,
    model: row.model ?? null,
    operation: row.operation ?? null,
    userId: row.user_id || null,
    batchId: row.batch_id === NO_BATCH ? null : (row.batch_id ?? null),
    callId: row.id ?? null,
    outcome: row.outcome ?? null,
    at: row.ts?.getTime() ?? null,
    ...toFigures(row),
  };
}

function toFigures(row: FiguresRow): UsageFigures {
  return {
    calls: Number(row.calls),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    costMicroUsd: Number(row.cost_micro_usd),
    estimated: row.estimated ?? false,
  };
}

/** Totals of all calls of a range of days, and of the memories they resulted in. */
export interface UsageTotals extends UsageFigures {
  /** Inserted by batches that ended in these days. */
  readonly memories: number;
}

/** Total usage and cost of the tenant's calls of the UTC days `from` to `to` (`YYYY-MM-DD`). */
export async function readUsageTotals(tx: Tx, { from, to }: { from: string; to: string }): Promise<UsageTotals> {
  const [row] = await tx.query<FiguresRow & { memories: string }>(
    `SELECT ${FIGURES_SQL},
            (SELECT coalesce(sum(b.inserted), 0) FROM batches b
              WHERE b.finished_at >= $1::date AT TIME ZONE 'UTC'
                AND b.finished_at < ($2::date + 1) AT TIME ZONE 'UTC') AS memories
       FROM usage u WHERE u.day BETWEEN $1 AND $2`,
    [from, to],
  );
  return { ...toFigures(row!), memories: Number(row!.memories) };
}

/** Number of calls of an operation for a user on a UTC day (`YYYY-MM-DD`), failed ones included. */
export async function countCalls(
  tx: Tx,
  { userId, operation, day }: { readonly userId: string; readonly operation: CallOperation; readonly day: string },
): Promise<number> {
  const [row] = await tx.query<{ calls: number }>(
    'SELECT count(*)::integer AS calls FROM usage WHERE user_id = $1 AND operation = $2 AND day = $3',
    [userId, operation, day],
  );
  return row!.calls;
}
