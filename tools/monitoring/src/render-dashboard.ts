import { GraphThresholdsStyleConfigBuilder, GraphThresholdsStyleMode } from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  TextBoxVariableBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { ALERTS_PAGE } from './render-alerts-page.ts';
import type { Dashboard, Panel } from './panel.ts';

const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Grafana divides a row into 24. */
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 8;

/**
 * A dashboard in Grafana's classic JSON model, which every version of Grafana loads. Provisioning does not fill
 * `__inputs`, so the data source is a variable.
 */
export function renderDashboard({ uid, title, description, panels }: Dashboard): string {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['annals'])
    .readonly()
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .link(
      new DashboardLinkBuilder('Annals')
        .type(DashboardLinkType.Dashboards)
        .tags(['annals'])
        .keepTime(true)
        .includeVars(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new TextBoxVariableBuilder('docs')
        .label('Docs')
        .description('URL of the folder docs/ of Annals, to which the panels link.')
        .defaultValue('docs'),
    );
  for (const panel of panels) builder.withPanel(buildPanel(panel));
  return `${JSON.stringify(builder.build(), null, 2)}\n`;
}

function buildPanel({ title, unit, queries, target, runbook }: Panel): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .unit(unit)
    .min(0)
    .datasource(DATA_SOURCE)
    .span(PANEL_WIDTH)
    .height(PANEL_HEIGHT)
    .links([
      new DashboardLinkBuilder('Runbook')
        .type(DashboardLinkType.Link)
        .url(`\${docs}/${toLink(runbook)}`)
        .targetBlank(true),
    ]);
  for (const { expr, legend } of queries)
    panel.withTarget(new DataqueryBuilder().datasource(DATA_SOURCE).expr(expr).legendFormat(legend).range());
  if (!target) return panel;
  const [below, above] = target.isFloor ? ['red', 'green'] : ['green', 'red'];
  return panel
    .thresholds(
      new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([
        { color: below, value: null },
        { color: above, value: target.value },
      ]),
    )
    .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Line));
}

/** Page and anchor in docs/. */
export function toLink(runbook: Panel['runbook']): string {
  return runbook.includes('#') ? runbook : `${ALERTS_PAGE}#${runbook.toLowerCase()}`;
}
