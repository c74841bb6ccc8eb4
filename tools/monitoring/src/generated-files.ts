import { DASHBOARDS } from './dashboards/dashboards.ts';
import { renderAlertRules, renderPrometheusRule } from './render-alert-rules.ts';
import { ALERTS_PAGE, renderAlertsPage } from './render-alerts-page.ts';
import { renderDashboard } from './render-dashboard.ts';

/** Path from the root of the repository to the text of each generated file. */
export function renderFiles(): Readonly<Record<string, string>> {
  const dashboards = Object.entries(DASHBOARDS).map(([name, dashboard]) => [
    `infra/grafana/dashboards/${name}.json`,
    renderDashboard(dashboard),
  ]);
  return {
    ...(Object.fromEntries(dashboards) as Record<string, string>),
    'infra/prometheus/alerts.yml': renderAlertRules(),
    'k8s/components/monitoring/prometheus-rule.yaml': renderPrometheusRule(),
    [`docs/${ALERTS_PAGE}`]: renderAlertsPage(),
  };
}
