import type { KindCapacity } from '../capacity/capacity.ts';
import { CARRIED_SHARE, findKnee, isKneeOpen, type Step } from '../capacity/find-knee.ts';
import type { CapacityResults } from '../results.ts';
import { renderCount, renderTable } from './markdown.ts';

/** What one process of each kind carries, and where it bends. */
export function renderCapacitySection({ run }: CapacityResults, image: string): string {
  const { kinds, bareInserts, rounds, secondsEach, piecesEach } = run;
  return [
    '## What a process of each kind carries',
    `One process of each kind after the other is offered work at fixed rates that do not depend on how fast it is done: ${secondsEach} s of each rate, longer until ${piecesEach} pieces of work have come, ${rounds} rounds, medians. The **knee** is the highest rate at which no backlog grows (at least ${CARRIED_SHARE * 100} % of what was offered is done while it comes) and 95 % is done within the limit. PostgreSQL, Redis, the client and the process share the cores of this machine, so a process of its own machine carries more; the CPU columns say what to plan for. A bare insert of a conversation into a table of one column was done ${renderCount(bareInserts[0])} times a second before and ${renderCount(bareInserts[1])} times after the measurements, by 16 clients: compare the rates with that.`,
    renderTable(
      [
        'Process',
        'Knee, per second',
        'When work waits',
        'At the knee: median, 95 %',
        'Limit',
        'CPU of the process',
        'CPU of PostgreSQL',
        'Memory',
      ],
      kinds.map(describeKind),
    ),
    'CPU is in cores at the knee. "When work waits" is the rate of a process that never lacks work.',
    `![What each process carried of what was offered, and how long it took](${image})`,
    '### Where each bends',
    kinds.map((kind) => `- **${kind.title}**: ${kind.work}. ${describeBend(kind)}`).join('\n'),
    '### All rates',
    renderTable(
      ['Process', 'Offered', 'Carried', 'Median', '95 %', 'CPU of the process', 'CPU of PostgreSQL', 'Memory'],
      kinds.flatMap(({ title, steps }) =>
        steps.map((step) => [
          title,
          renderRate(step.offered),
          renderRate(step.carried),
          renderTime(step.p50),
          renderTime(step.p95),
          ...describeCost(step),
        ]),
      ),
    ),
  ].join('\n\n');
}

function describeKind(kind: KindCapacity): string[] {
  const { title, unit, limitMs, saturated, steps } = kind;
  const knee = findKnee(steps, limitMs);
  const limit = renderTime(limitMs);
  if (!knee)
    return [title, `below ${renderRate(steps[0]!.offered)} ${unit}`, renderRate(saturated), '', limit, '', '', ''];
  const rate = `${isKneeOpen(steps, limitMs) ? 'at least ' : ''}${renderRate(knee.offered)} ${unit}`;
  return [
    title,
    rate,
    renderRate(saturated),
    `${renderTime(knee.p50)}, ${renderTime(knee.p95)}`,
    limit,
    ...describeCost(knee),
  ];
}

function describeCost({ cores, databaseCores, rssMb }: Step): string[] {
  return [cores.toFixed(2), databaseCores === null ? 'unknown' : databaseCores.toFixed(2), `${rssMb} MB`];
}

/** What happens at the first rate that is too much. */
function describeBend({ unit, limitMs, steps }: KindCapacity): string {
  const knee = findKnee(steps, limitMs);
  const next = steps.find(({ offered }) => offered > (knee?.offered ?? 0));
  if (!next) return 'It carried every rate that was offered.';
  const share = Math.round((100 * next.carried) / next.offered);
  const grows = next.carried < next.offered * CARRIED_SHARE;
  const isLate = next.p95 > limitMs;
  const what = [
    ...(grows ? [`it does ${share} % of them while they come, and a backlog grows`] : []),
    ...(isLate ? [`95 % take ${renderTime(next.p95)} instead of at most ${renderTime(limitMs)}`] : []),
  ].join('; ');
  const used = next.databaseCores === null ? '' : `, PostgreSQL ${next.databaseCores.toFixed(2)}`;
  return `At ${renderRate(next.offered)} ${unit} a second ${what}. It uses ${next.cores.toFixed(2)} cores then${used}.`;
}

function renderRate(perSecond: number): string {
  return perSecond >= 100 ? renderCount(perSecond) : perSecond.toFixed(1);
}

function renderTime(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${renderCount(ms)} ms`;
}
