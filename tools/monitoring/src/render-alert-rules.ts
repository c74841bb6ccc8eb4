import { stringify } from 'yaml';
import { renderExpression } from './alerts/alert.ts';
import { ALERT_GROUPS } from './alerts/alerts.ts';
import { toLink } from './render-dashboard.ts';

/** Groups of rules, as Prometheus and the PrometheusRule of its operator have them. */
function listRuleGroups() {
  return Object.entries(ALERT_GROUPS).map(([group, { alerts }]) => ({
    name: `annals-${group}`,
    rules: Object.entries(alerts).map(([name, alert]) => ({
      alert: name,
      expr: renderExpression(alert),
      for: alert.for,
      labels: { severity: alert.severity },
      annotations: {
        summary: alert.summary,
        description: alert.meaning,
        runbook: `docs/${toLink(name as Parameters<typeof toLink>[0])}`,
      },
    })),
  }));
}

/** The file of rules for Prometheus. */
export function renderAlertRules(): string {
  return render({ groups: listRuleGroups() });
}

/** The same rules as an object of the Prometheus Operator. */
export function renderPrometheusRule(): string {
  return render({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'annals', labels: { 'app.kubernetes.io/part-of': 'annals' } },
    spec: { groups: listRuleGroups() },
  });
}

function render(document: object): string {
  const comment = '# Generated from tools/monitoring: change it there, then run `npm run docs`.\n';
  return comment + stringify(document, { lineWidth: 0 });
}
