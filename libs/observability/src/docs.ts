import { EVENTS, type EventDefinition } from './logging/events.js';
import type { LabelValues, MetricDefinition } from './metrics/definition.js';
import { METRICS } from './metrics/manifest.js';

/** Generated pages: path from the root of the repository to the function that renders the page. */
export const GENERATED_DOCS: Readonly<Record<string, () => string>> = {
  'docs/events.md': renderEventDocs,
  'docs/metrics.md': renderMetricDocs,
};

const HOW_TO_CHANGE = 'then run `pnpm --filter @annals/observability run docs`';

/** The text of docs/events.md. */
function renderEventDocs(): string {
  const events: [string, EventDefinition][] = Object.entries(EVENTS);
  const rows = events.map(([name, { when, audit, fields }]) => [
    `\`${name}\`${audit ? ' (audit)' : ''}`,
    when,
    renderFields(fields),
  ]);
  return `# Log events

<!-- Generated from libs/observability: change \`logging/events.ts\` there, ${HOW_TO_CHANGE}. -->

Every process writes one JSON object per line to standard output: \`timestamp\`, \`level\`, \`service\`, \`event\`, \`provider\` (\`none\`
where no provider is involved) and \`context\`, and if known \`requestId\`, \`model\`, \`errorType\`, \`attempt\`, \`durationMs\`,
\`costMicroUSD\`, \`budgetUtilization\` (percent) and \`circuitState\`. All other fields are under \`context\`, the trace id as
\`context.traceId\`. Secrets, user content and error messages are never written; strings over 1024 characters are truncated and end in
\`[truncated]\`.

Events marked *audit* say who did what, or tried to: they are written whatever \`ANNALS_LOG_LEVEL\` is, also by the embedded profile, which
writes to standard error and else only warnings and errors.

${renderTable(['Event', 'Logged', 'Required fields'], rows)}
`;
}

/** The text of docs/metrics.md. */
function renderMetricDocs(): string {
  const metrics: [string, MetricDefinition][] = Object.entries(METRICS);
  const rows = metrics.map(([name, metric]) => [
    `\`${name}\``,
    metric.type,
    metric.unit,
    Object.entries(metric.labels).map(renderLabel).join('; ') || 'none',
    metric.help,
  ]);
  return `# Metrics

<!-- Generated from libs/observability: change the tables in \`metrics\` there, ${HOW_TO_CHANGE}. -->

Served at \`/metrics\` in the Prometheus text format, to whom [ANNALS_METRICS_TOKEN and ANNALS_METRICS_PORT](operating.md#metrics) allow
it. In addition, \`memory_llm_process_*\` are the process metrics of prom-client (CPU,
memory, event loop lag, garbage collection). Quantiles of a summary cover one process and the last ten minutes; to aggregate over
replicas, use the histogram of the same observations, which each summary has.

${renderTable(['Metric', 'Type', 'Unit', 'Labels', 'Meaning'], rows)}
`;
}

function renderFields(fields: EventDefinition['fields']): string {
  const names = Object.entries(fields).map(([name, kind]) =>
    Array.isArray(kind) ? `\`${name}\` (${kind.join(', ')})` : `\`${name}\``,
  );
  return names.join(', ') || 'none';
}

function renderLabel([label, values]: [string, LabelValues]): string {
  return `\`${label}\`: ${'bounded' in values ? values.bounded : values.join(', ')}`;
}

/** Columns are padded as prettier does it, so that formatting the file changes nothing. */
function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const renderRow = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [renderRow(header), renderRow(widths.map((width) => '-'.repeat(width))), ...rows.map(renderRow)].join('\n');
}
