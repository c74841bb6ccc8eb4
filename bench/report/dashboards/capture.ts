import type { ScrapingPrometheus } from '@annals/testing';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DASHBOARDS } from '../../../tools/monitoring/src/dashboards/dashboards.ts';
import type { Panel } from '../../../tools/monitoring/src/panel.ts';

const FILE = path.resolve(import.meta.dirname, '../../results/dashboards.json');
/** Points of a line: as many as a panel has room for. */
const POINTS = 240;

interface CapturedSeries {
  readonly name: string;
  /** Epoch seconds and value. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

export interface CapturedPanel extends Pick<Panel, 'title' | 'unit' | 'target'> {
  readonly series: readonly CapturedSeries[];
}

export interface CapturedDashboard {
  /** The name of its file. */
  readonly name: string;
  readonly title: string;
  readonly panels: readonly CapturedPanel[];
}

export interface CapturedDashboards {
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
  readonly dashboards: readonly CapturedDashboard[];
}

/** Evaluates every expression of every panel over a time, as Grafana does, and stores the answers for drawing. */
export async function captureDashboards(
  prometheus: ScrapingPrometheus,
  { from, to, scrapeSeconds }: { readonly from: number; readonly to: number; readonly scrapeSeconds: number },
): Promise<void> {
  const step = Math.max(scrapeSeconds, Math.ceil((to - from) / POINTS));
  // As Grafana computes it: four scrapes, or a step and a scrape.
  const rateInterval = `${Math.max(4 * scrapeSeconds, step + scrapeSeconds)}s`;
  const capturePanel = async ({ title, unit, target, queries }: Panel): Promise<CapturedPanel> => {
    const series: CapturedSeries[] = [];
    for (const { expr, legend } of queries) {
      const expression = expr.replaceAll('$__rate_interval', rateInterval);
      for (const { metric, points } of await prometheus.queryRange(expression, { start: from, end: to, step }))
        series.push({
          name: renderLegend(legend, metric),
          points: points.filter(([, value]) => Number.isFinite(value)),
        });
    }
    return { title, unit, ...(target && { target }), series };
  };
  const dashboards: CapturedDashboard[] = [];
  for (const [name, { title, panels }] of Object.entries(DASHBOARDS)) {
    const captured: CapturedPanel[] = [];
    for (const panel of panels) captured.push(await capturePanel(panel));
    dashboards.push({ name, title, panels: captured });
  }
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ from, to, dashboards } satisfies CapturedDashboards));
}

export function readCapturedDashboards(): CapturedDashboards {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as CapturedDashboards;
  } catch (cause) {
    throw new Error('Run the part faults first: it records what the dashboards show.', { cause });
  }
}

/** As Grafana does: `{{queue}}` is the value of that label. */
export function renderLegend(legend: string, labels: Readonly<Record<string, string>>): string {
  return legend.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, label: string) => labels[label] ?? '').trim();
}
