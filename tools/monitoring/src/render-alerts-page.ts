import { type Alert, renderExpression } from './alerts/alert.ts';
import { ALERT_GROUPS } from './alerts/alerts.ts';

/** In docs/. */
export const ALERTS_PAGE = 'alerts.md';

const SEVERITIES = { page: 'wakes somebody', ticket: 'for working hours' };

/** The text of docs/alerts.md: what each alert means, what to look at and what to do. */
export function renderAlertsPage(): string {
  const groups = Object.values(ALERT_GROUPS).map(({ title, alerts }) => {
    const sections = Object.entries<Alert>(alerts).map(([name, alert]) => renderSection(name, alert));
    return `## ${title}\n\n${sections.join('\n')}`;
  });
  return `# Alerts and what to do

<!-- Generated from tools/monitoring: change it there, then run \`npm run docs\`. -->

The rules are in [infra/prometheus/alerts.yml](../infra/prometheus/alerts.yml). They have the label \`severity\`: \`page\` wakes somebody,
\`ticket\` is for working hours. Their annotation \`runbook\` names the section of this page. The metrics are in
[metrics.md](metrics.md), the dashboards in [operating.md](operating.md#dashboards).

${groups.join('\n')}`;
}

function renderSection(name: string, alert: Alert): string {
  const { severity, meaning, checks, actions } = alert;
  return `### ${name}

${meaning}

\`\`\`promql
${renderExpression(alert)}
\`\`\`

- Severity: \`${severity}\` (${SEVERITIES[severity]})${alert.for === '0m' ? '' : `, after ${alert.for}`}.
${checks.map((check) => `- Look at: ${toLinks(check)}`).join('\n')}
${actions.map((action) => `- Do: ${toLinks(action)}`).join('\n')}
`;
}

/** Paths of pages become links; names of alerts too. */
function toLinks(text: string): string {
  return text
    .replaceAll(/docs\/([\w/-]+\.md)(#[\w-]+)?/g, (_, page, anchor = '') => `[${page}](${page}${anchor})`)
    .replaceAll(/(?<!`)\bAnnals[A-Z]\w+/g, (name) => `[${name}](#${name.toLowerCase()})`);
}
