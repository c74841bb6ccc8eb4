import { toBudgetDay } from '@annals/runtime';
import type { AdminQuery, Charge, FakeModelsProcess, PrivateServersSystem } from '@annals/testing';
import type { HeldLimit } from '../budgets.ts';
import type { Book } from '../load/book.ts';
import type { Listeners } from '../load/listen.ts';
import type { Tenant } from '../load/population.ts';
import {
  findBrokenRules,
  findDoubledMessages,
  findErasedIds,
  findErasedWords,
  findUnfinished,
  verify,
} from './check-store.ts';
import { compareMemories, readMemories } from './memories.ts';
import { findOverspent, findUnrecorded, type LimitUse, type Spent, sumOf, sumUntilRaised } from './spending.ts';
import { toVerdict, type Verdict } from './verdict.ts';

export interface FinishedRun {
  readonly system: PrivateServersSystem;
  readonly models: FakeModelsProcess;
  readonly tenants: readonly Tenant[];
  readonly book: Book;
  readonly listeners: Listeners;
  readonly held: readonly HeldLimit[];
  readonly secret: string;
}

export interface RunChecks {
  readonly verdicts: readonly Verdict[];
  readonly money: {
    /** Micro-USD. */
    readonly charged: number;
    readonly ledger: number;
    /** Calls of which no answer was recorded, which are charged in full. */
    readonly lostCalls: number;
    readonly calls: number;
    /** By the ledger, without lost calls: some of them were never sent. */
    readonly limits: readonly LimitUse[];
  };
}

/** Checks all that happened in a run, once nothing is under way any more. */
export async function checkRun(run: FinishedRun): Promise<RunChecks> {
  const { system, models, book, listeners, tenants, held, secret } = run;
  const { marks, violations, counts, batchIds } = book;
  const seen = await readMemories(tenants);
  const memories = compareMemories(marks, seen);
  const charges = await models.listCharges();
  const prompts = findMixedPrompts(charges, book);
  const charged = charges.map((charge) => toSpent(charge, book));
  return system.inspect(async (query) => {
    const ledger = await readLedger(query, tenants);
    const answered = ledger.filter(({ outcome }) => outcome !== 'lost');
    const limits = sumUntilRaised(answered, held);
    const overspent = [
      ...findOverspent(limits, 'ledger'),
      ...findOverspent(sumUntilRaised(charged, held), 'provider'),
      ...findUnrecorded(charged, ledger),
    ];
    const untold = await listeners.findUntold(query);
    const said = `${marks.length} statements in ${counts['messages'] ?? 0} messages, ${new Set(batchIds).size} batches`;
    const verdicts = [
      toVerdict('lost', said, [...memories.lost, ...(await findUnfinished(query))]),
      toVerdict('doubled', `${said}, ${counts['posts sent again'] ?? 0} posts sent again`, [
        ...memories.doubled,
        ...violations.doubled,
        ...(await findDoubledMessages(query)),
      ]),
      toVerdict(
        'foreign',
        `${counts['statements in answers'] ?? 0} statements in ${counts['answers examined'] ?? 0} answers, ` +
          `${seen.length} memories, ${charges.length} prompts, ${counts['queries refused to bound keys'] ?? 0} refused queries`,
        [...violations.foreign, ...violations.anachronism, ...memories.foreign, ...prompts],
      ),
      toVerdict('overspent', `${held.length} limits of three budgets, ${charges.length} calls`, overspent),
      toVerdict('erased', `${counts['people erased'] ?? 0} people erased, ${countChanged(run)} memories changed`, [
        ...memories.returned,
        ...(await findErasedWords(query, system)),
      ]),
      toVerdict('checkpoints', `${counts['checkpoint versions read'] ?? 0} versions`, violations.checkpoint),
      toVerdict(
        'webhooks',
        `${counts['changes told by webhooks'] ?? 0} changes, ${counts['erasures told by webhooks'] ?? 0} erasures, ` +
          `${counts['requests of webhooks'] ?? 0} requests, ${counts['requests of webhooks answered badly'] ?? 0} answered badly`,
        [...untold, ...violations.webhook, ...(await findErasedIds(query))],
      ),
      toVerdict('history', 'all rules of the stored data, `annals verify`', [
        ...(await findBrokenRules(query, book)),
        ...(await verify({ ANNALS_DATABASE_URL: system.databaseUrl, ANNALS_SECRET_KEY: secret })),
      ]),
      toVerdict('refused', 'requests that had to succeed', violations.refused),
    ];
    const lostCalls = ledger.length - answered.length;
    return {
      verdicts,
      money: { charged: sumOf(charged), ledger: sumOf(ledger), lostCalls, calls: ledger.length, limits },
    };
  });
}

function countChanged({ book: { counts } }: FinishedRun): number {
  return (counts['memories corrected'] ?? 0) + (counts['memories deleted'] ?? 0);
}

/** Prompts that show statements of more than one user. */
function findMixedPrompts(charges: readonly Charge[], { marks }: Book): string[] {
  return charges.flatMap((charge) => {
    const people = new Set(
      listNumbers(charge).map((number) => `tenant ${marks[number]?.tenant}, ${marks[number]?.userId}`),
    );
    return people.size > 1 ? [`one prompt shows statements of ${[...people].join(' and ')}`] : [];
  });
}

function toSpent(charge: Charge, { marks }: Book): Spent {
  const [number] = listNumbers(charge);
  return {
    tenant: number === undefined ? -1 : (marks[number]?.tenant ?? -1),
    provider: charge.api === 'anthropic' ? 'claude' : 'openai',
    // Rounded up call by call, as the ledger does.
    microUsd: Math.ceil(charge.costNanoUsd / 1_000),
    at: charge.endedAt ?? Number.POSITIVE_INFINITY,
    day: toBudgetDay(charge.receivedAt),
  };
}

function listNumbers({ marks }: Charge): number[] {
  return marks.map((mark) => Number(/^mark-(\d+)x$/.exec(mark)?.[1])).filter((number) => !Number.isNaN(number));
}

async function readLedger(query: AdminQuery, tenants: readonly Tenant[]): Promise<(Spent & { outcome: string })[]> {
  const rows = await query<{
    tenant_id: string;
    provider: string;
    cost: string;
    at: number;
    day: string;
    outcome: string;
  }>(
    `SELECT tenant_id, provider, cost_micro_usd AS cost, (extract(epoch FROM ts) * 1000)::float8 AS at, day::text, outcome
       FROM usage`,
  );
  return rows.map(({ tenant_id, provider, cost, at, day, outcome }) => ({
    tenant: tenants.findIndex(({ id }) => id === tenant_id),
    provider,
    microUsd: Number(cost),
    at,
    day,
    outcome,
  }));
}
