import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENTS, METRICS } from '@annals/observability';
import { parser } from '@prometheus-io/lezer-promql';
import { renderExpression } from './alerts/alert.ts';
import { listAlerts } from './alerts/alert-cases.fixture.ts';
import { DASHBOARDS } from './dashboards/dashboards.ts';
import { renderFiles } from './generated-files.ts';
import { toLink } from './render-dashboard.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const panels = Object.values(DASHBOARDS).flatMap((dashboard) =>
  dashboard.panels.map((panel) => ({ dashboard, panel })),
);
const expressions = [
  ...panels.flatMap(({ dashboard, panel }) =>
    panel.queries.map(({ expr }) => [`${dashboard.title}: ${panel.title}`, expr.replaceAll('$__rate_interval', '1m')]),
  ),
  ...listAlerts().map(([name, alert]) => [name, renderExpression(alert)]),
] as [string, string][];

/** Metrics and labels in an expression; throws where it cannot be parsed. */
function parse(expression: string): { metrics: Set<string>; labels: [metric: string, label: string][] } {
  const metrics = new Set<string>();
  const labels: [string, string][] = [];
  let selected = '';
  parser.parse(expression).iterate({
    enter({ name, type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`${expression} cannot be parsed at ${from}`);
      if (name === 'VectorSelector') selected = /^[\w:]+/.exec(text)![0];
      if (name === 'VectorSelector') metrics.add(selected);
      if (
        name === 'LabelName' &&
        expression.slice(0, from).lastIndexOf('{') > expression.slice(0, from).lastIndexOf('}')
      )
        labels.push([selected, text]);
    },
  });
  return { metrics, labels };
}

const manifest: Readonly<Record<string, { type: string; labels: object }>> = METRICS;
const find = (metric: string) => manifest[metric] ?? manifest[metric.replace(/_(bucket|sum|count)$/, '')];

describe('generated files of the monitoring', () => {
  it.each(Object.entries(renderFiles()))('%s is up to date (npm run docs)', (file, text) => {
    expect(read(file)).toBe(text);
  });

  it.each(expressions)('%s uses metrics and labels of the manifest', (_, expression) => {
    const { metrics, labels } = parse(expression);
    for (const metric of metrics) {
      if (metric === 'up' || metric.startsWith('memory_llm_process_')) continue;
      expect([metric, find(metric)]).not.toContain(undefined);
    }
    for (const [metric, label] of labels) {
      if (metric === 'up') continue;
      expect([metric, Object.keys(find(metric)!.labels).includes(label)]).toEqual([metric, true]);
    }
  });

  it('shows every gauge and every histogram, and every counter that a person has to know of', () => {
    const shown = new Set(expressions.flatMap(([, expression]) => [...parse(expression).metrics]));
    const isShown = (name: string) => [name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each));
    const hidden = Object.entries(manifest)
      .filter(([name, { type }]) => type !== 'summary' && type !== 'counter' && !isShown(name))
      .map(([name]) => name);
    // The share of one process since its start, and the delay of a limiter whose waits are shown.
    expect(hidden).toEqual(['memory_llm_rate_limiter_wait_ms', 'memory_llm_junk_rate']);
  });

  it('has a title for each panel that asks a question, once in a dashboard', () => {
    for (const { panels: all } of Object.values(DASHBOARDS)) {
      const titles = all.map(({ title }) => title);
      expect(new Set(titles).size).toBe(titles.length);
      for (const title of titles) expect(title).toContain('?');
    }
  });

  it('links each panel to a heading that exists', () => {
    for (const { panel } of panels) {
      const [page, anchor] = toLink(panel.runbook).split('#');
      const headings = [...read(`docs/${page}`).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
        heading!
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect([panel.title, headings.includes(anchor!)]).toEqual([panel.title, true]);
    }
  });

  it('names log events and metrics in its runbook that exist', () => {
    const names = [...read('docs/alerts.md').matchAll(/`([a-z]+(?:_[a-z0-9]+)+)[`{]/g)].map(([, name]) => name!);
    const known = (name: string) => name in EVENTS || find(name) !== undefined || NO_EVENTS.has(name);
    expect(names.filter((name) => !known(name))).toEqual([]);
  });
});

/** Other names with underscores: of settings, columns, fields and jobs. */
const NO_EVENTS = new Set([
  'expired_unread',
  'invalid_answer',
  'maxmemory_policy',
  'memory_purge',
  'pg_locks',
  'pg_stat_activity',
  'request_id',
]);
