import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as prettier from 'prettier';
import type { Results } from '../results.ts';
import { renderCapacityChart } from './capacity-chart.ts';
import { renderCapacitySection } from './capacity-section.ts';
import { describeMachine } from './describe-machine.ts';
import { renderFaultSection } from './fault-section.ts';
import { renderTimelineChart } from './timeline-chart.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');
const TIMELINE = 'images/report/faults.svg';
const CAPACITY = 'images/report/capacity.svg';

/** The files of the report by their path in docs/. Parts without results are left out. */
export async function renderReport({ faults, capacity }: Results): Promise<Readonly<Record<string, string>>> {
  const page = [
    '<!-- Written by `npm run report` from bench/report/results: do not edit. -->',
    '# Load and fault report',
    `${describeParts({ faults, capacity })} \`npm run report\` measures what a process of each kind carries and what faults leave behind, and writes this page ([bench/README.md](../bench/README.md#load-and-fault-report)); what the dashboards showed meanwhile is in [dashboards.md](dashboards.md). Machines differ: read the relations between the figures, and measure your own.`,
    ...(capacity ? [renderCapacitySection(capacity, CAPACITY), describeMachine(capacity)] : []),
    ...(faults ? [renderFaultSection(faults, TIMELINE), describeMachine(faults)] : []),
  ].join('\n\n');
  const options = await prettier.resolveConfig(path.join(DOCS, 'report.md'));
  return {
    'report.md': await prettier.format(page, { ...options, parser: 'markdown' }),
    ...(capacity && { [CAPACITY]: renderCapacityChart(capacity.run) }),
    ...(faults && { [TIMELINE]: renderTimelineChart(faults.run) }),
  };
}

/** What the page has figures of. */
function describeParts({ faults, capacity }: Results): string {
  const parts = [
    capacity && 'what a process of each kind carries and where it bends',
    faults && 'what half an hour with a fault every minute leaves behind',
  ].filter((part) => part !== undefined);
  return `This page shows ${parts.join(', and ')}.`;
}

export async function writeReport(results: Results): Promise<void> {
  for (const [file, text] of Object.entries(await renderReport(results))) {
    mkdirSync(path.dirname(path.join(DOCS, file)), { recursive: true });
    writeFileSync(path.join(DOCS, file), text);
  }
}
