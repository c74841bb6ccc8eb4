import { FAULTS } from '../faults/faults.ts';
import type { Verdict } from '../faults/checks/verdict.ts';
import type { FaultResults } from '../results.ts';
import { renderCount, renderSeconds, renderTable, renderUsd } from './markdown.ts';

const QUESTIONS: Readonly<Record<Verdict['name'], string>> = {
  lost: '**Lost**: a statement of an accepted message that is not remembered, a batch that has not ended as done',
  doubled: '**Doubled**: a statement that is remembered twice, a message that is stored twice',
  foreign:
    '**Foreign**: a statement of another tenant, another user or a later time in an answer, a memory or a prompt; an answer to a key that is bound to somebody else',
  overspent:
    '**Overspent**: a budget of which more was spent than its limit at that time, by the ledger or by what the provider charged; a charge that the ledger does not have',
  erased: 'Words of an erased person in a table, a queue or a log; a corrected or deleted memory as it was',
  checkpoints: 'A version of a saved state that is missing, or another one',
  webhooks:
    'A change of which its webhook was not told, or not in the order of the commits of its user; an event of another tenant, or with a signature of somebody else; an id of an erased person that is left',
  history: 'A rule of the stored data that does not hold; an audit chain that does not verify',
  refused: 'A request that was refused although it was right',
};

/** The half hour with a fault every minute. */
export function renderFaultSection(results: FaultResults, image: string): string {
  const { run, minutes, perSecond, seed } = results;
  const requests = Object.values(run.statuses).reduce((sum, count) => sum + count, 0);
  const found = run.verdicts.reduce((sum, verdict) => sum + verdict.found, 0);
  return [
    `## ${minutes} minutes of mixed load with a fault every minute`,
    `Two gateways, two extraction and two persistence processes, one tom-insight and one consolidation-worker, on a PostgreSQL and a Redis of their own, with the fake models of \`libs/testing\` as Claude and OpenAI. ${perSecond} operations a second, ${renderCount(requests)} requests in all: conversations with statements that are told apart by a number, the same posts again under the same ids, the same statements in other messages, queries before a turn and on demand, as of an earlier time and with keys of one user, checkpoints, corrections, deletions and erased people; a webhook of each tenant is told of everything, and one of 30 requests is answered with 500, a redirect, a broken connection or not at all; minds are on. Three tenants have users of the same names. Seed ${seed}; after the load, the system needed ${run.settledSeconds} s until nothing was left to do.`,
    found === 0
      ? 'Nothing was lost, doubled, foreign or overspent:'
      : `**${found} findings**, which the table below counts:`,
    renderTable(
      ['What would be wrong', 'Examined', 'Found'],
      run.verdicts.map((verdict) => [QUESTIONS[verdict.name], verdict.examined, `${verdict.found}`]),
    ),
    renderExamples(run.verdicts),
    `![The run over time: what was accepted and remembered, how long queries took, what had to be sent again, what waited, and the budgets](${image})`,
    'Dashed lines are faults, by their number in the table below. A client that gets no answer, 429 or 5xx sends the same request again after 250 ms; "sent again" counts those. "Longest gap" is the longest time without an accepted post from the fault to the next one, by all clients together.',
    renderTable(
      ['', 'At', 'Fault', 'Over after', 'Sent again', 'Longest gap', 'Queries, 95 %'],
      run.faults.map(({ name, atMs, overMs, repeated, requests: all, postGapMs, queryP95Ms }, index) => [
        `${index + 1}`,
        renderMinute(atMs),
        FAULTS[name].title,
        renderSeconds(overMs - atMs),
        `${repeated} of ${all}`,
        renderSeconds(postGapMs),
        queryP95Ms === null ? '' : `${queryP95Ms} ms`,
      ]),
    ),
    renderMoney(results),
    '### Answers and alerts',
    `Requests by their answer: ${listCounts(run.statuses)}. Done in the run: ${listCounts(run.counts)}. Batches that were put off, by reason: ${listCounts(run.deferrals)}. Runs of minds that ended: ${listCounts(run.mindRuns)}.`,
    run.alerts.length > 0
      ? `Of the [alerts](alerts.md) as they are shipped, these fired: ${run.alerts.map((name) => `[${name}](alerts.md#${name.toLowerCase()})`).join(', ')}.`
      : 'None of the [alerts](alerts.md) as they are shipped fired: no fault lasted as long as they wait.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function renderExamples(verdicts: readonly Verdict[]): string {
  const examples = verdicts.flatMap(({ name, examples: some }) => some.map((text) => `- ${name}: ${text}`));
  return examples.join('\n');
}

function renderMoney({ run: { money } }: FaultResults): string {
  const uses = money.limits.map(({ budget, limitMicroUsd, spentMicroUsd }, index) => [
    `${index + 1}`,
    budget,
    renderUsd(limitMicroUsd),
    renderUsd(spentMicroUsd),
    `${((100 * spentMicroUsd) / limitMicroUsd).toFixed(1)} %`,
  ]);
  return [
    '### Money',
    `The deployment, the provider Claude and the first tenant have budgets that are too small: when one is spent, work waits for 20 s until it is raised by as much again. A limit is never lowered, so that at any time no more may have been spent than it. The provider charged ${renderUsd(money.charged)}; the ledger has ${renderUsd(money.ledger)} for ${renderCount(money.calls)} calls. It has more because a call that broke off is charged for what it may have cost: a provider may charge it, and this one does not. ${money.lostCalls} calls ended without a record of their answer, with their process, and are charged in full.`,
    renderTable(['', 'Budget', 'Limit until it was raised', 'Spent until then', 'Used'], uses),
  ].join('\n\n');
}

function renderMinute(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${renderCount(count)}`)
    .join(', ');
}
