import { type AdminQuery, type ApiClient, type JournalEntry, type Post, parseShownNames } from '@annals/testing';

/** A post with one message that contains a mark, by which the provider's journal identifies its calls. */
export function makeMarkedPost(number: number, target: { userId: string; threadId: string }): Post {
  return {
    user_id: target.userId,
    thread_id: target.threadId,
    flush: true,
    messages: [{ id: `${target.threadId}-${number}`, role: 'user', content: renderMarkedMessage(number) }],
  };
}

/** The memory that the fake models extract from {@link makeMarkedPost}. */
export function markedContent(number: number): string {
  return `The user said: “${renderMarkedMessage(number)}”`;
}

export function markOf(number: number): string {
  return `mark-${number}x`;
}

function renderMarkedMessage(number: number): string {
  return `I collect item ${number} of ${markOf(number)}.`;
}

/** Operations of calls for marked posts. */
export type MarkedOperation = 'extraction' | 'reconciliation';

/** Operation and batch mark of a request for one marked post. Memories in its prompt have other marks. */
export function parseMarkedCall({ marks, userTexts }: JournalEntry['request']): {
  operation: MarkedOperation;
  mark: string | undefined;
} {
  const [shown = ''] = userTexts;
  if (parseShownNames(shown).length === 0) return { operation: 'extraction', mark: marks[0] };
  const newStatements = shown.slice(shown.indexOf('<new>'));
  return { operation: 'reconciliation', mark: marks.find((mark) => newStatements.includes(mark)) };
}

/** Creates tenants; returns a client for each, by name. */
export async function makeTenants(operator: ApiClient, names: readonly string[]): Promise<Map<string, ApiClient>> {
  const clients = new Map<string, ApiClient>();
  for (const name of names) {
    const { key } = await operator.must('createTenant', { body: { name } });
    clients.set(name, operator.withKey(key!));
  }
  return clients;
}

interface LedgerRow {
  batch_id: string;
  calls: string;
  cost: string;
}

export interface BatchAccounts {
  /** Generation requests that the provider received. */
  readonly calls: number;
  /** Those of them that the provider charged. */
  readonly charged: number;
  readonly chargedNanoUsd: number;
  /** Rows of the ledger. */
  readonly rows: number;
  readonly ledgerMicroUsd: number;
}

/** The provider's charges and the rows of our ledger for each batch's calls of an operation; `numbers`: its marks. */
export async function compareWithLedger(
  query: AdminQuery,
  entries: readonly JournalEntry[],
  numbers: ReadonlyMap<string, number>,
  operation: MarkedOperation,
): Promise<Map<string, BatchAccounts>> {
  const rows = await query<LedgerRow>(
    `SELECT batch_id, count(*) AS calls, sum(cost_micro_usd) AS cost FROM usage
      WHERE operation = $1 GROUP BY batch_id`,
    [operation],
  );
  const ledger = new Map(rows.map((row) => [row.batch_id, row]));
  const generated = Map.groupBy(
    entries.filter(
      ({ request }) => request.endpoint === 'generate' && parseMarkedCall(request).operation === operation,
    ),
    ({ request }) => parseMarkedCall(request).mark,
  );
  return new Map(
    [...numbers].map(([batchId, number]) => {
      const calls = generated.get(markOf(number)) ?? [];
      const chargedNanoUsd = calls.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
      const row = ledger.get(batchId);
      return [
        batchId,
        {
          calls: calls.length,
          charged: calls.filter(({ costNanoUsd }) => costNanoUsd > 0).length,
          chargedNanoUsd,
          rows: Number(row?.calls ?? 0),
          ledgerMicroUsd: Number(row?.cost ?? 0),
        },
      ];
    }),
  );
}

/**
 * Batches for which the provider charged more, or more often, than the ledger records. A request with structured output
 * that the endpoint does not support is rejected without a charge, and sent again with another mode within the same
 * call, once per process.
 */
export function findUnrecordedCharges(accounts: ReadonlyMap<string, BatchAccounts>): [string, BatchAccounts][] {
  return [...accounts].filter(
    ([, { charged, rows, chargedNanoUsd, ledgerMicroUsd }]) =>
      rows < charged || ledgerMicroUsd * 1_000 < chargedNanoUsd,
  );
}
