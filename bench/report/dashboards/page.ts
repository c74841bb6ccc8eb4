import type { CapturedDashboard, CapturedDashboards, CapturedPanel } from './capture.ts';
import { describePanel } from './describe-panel.ts';

/** As in Grafana: three panels in a row. */
const COLUMNS = 3;
export const PANEL = { width: 450, height: 270 };
const GAP = 10;
const HEADER_HEIGHT = 58;

/** Size of the picture of a dashboard, in CSS pixels. */
export function sizeOf({ panels }: CapturedDashboard): { readonly width: number; readonly height: number } {
  const rows = Math.ceil(panels.length / COLUMNS);
  return {
    width: COLUMNS * PANEL.width + (COLUMNS + 1) * GAP,
    height: HEADER_HEIGHT + rows * (PANEL.height + GAP) + GAP,
  };
}

/**
 * A page that draws one dashboard from what Prometheus answered to its expressions. It needs no network: the script of
 * the chart library is given as text.
 */
export function renderPage(
  dashboard: CapturedDashboard,
  { from, to }: CapturedDashboards,
  chartScript: string,
): string {
  const panels = dashboard.panels.map((panel) => describePanel(panel, { from, to }));
  const time = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(dashboard.title)}</title>
<style>
  body { margin: 0; background: #f4f5f5; font-family: sans-serif; color: #24292e; }
  header { height: ${HEADER_HEIGHT}px; padding: 0 ${GAP + 6}px; display: flex; align-items: center; justify-content: space-between; }
  h1 { font-size: 20px; font-weight: 600; }
  header p { font-size: 13px; color: #57606a; }
  main { display: grid; grid-template-columns: repeat(${COLUMNS}, ${PANEL.width}px); gap: ${GAP}px; padding: 0 ${GAP}px ${GAP}px; }
  section { background: #fff; border: 1px solid #dcdee1; border-radius: 2px; height: ${PANEL.height - 2}px; }
  h2 { font-size: 12px; font-weight: 600; margin: 9px 10px 0; height: 17px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .none { text-align: center; color: #57606a; padding-top: 100px; font-size: 14px; }
</style>
</head>
<body>
<header><h1>${escapeHtml(dashboard.title)}</h1><p>${time(from)} to ${time(to)} UTC</p></header>
<main>${panels.map(({ title }, index) => `<section><h2>${escapeHtml(title)}</h2><div id="panel-${index}"></div></section>`).join('')}</main>
<script>${chartScript}</script>
<script>
${formatValue.toString()}
const panels = ${JSON.stringify(panels).replaceAll('<', String.raw`\u003c`)};
panels.forEach(({ option, unit, isEmpty }, index) => {
  const place = document.getElementById('panel-' + index);
  if (isEmpty) { place.innerHTML = '<p class="none">No data</p>'; return; }
  place.style.width = '${PANEL.width - 2}px';
  place.style.height = '${PANEL.height - 30}px';
  option.yAxis.axisLabel.formatter = (value) => formatValue(value, unit);
  option.xAxis.axisLabel.formatter = (value) => new Date(value).toISOString().slice(11, 16);
  echarts.init(place).setOption(option);
});
</script>
</body>
</html>
`;
}

/** Values in the units of Grafana that the panels have. Also runs in the page, so it uses nothing around it. */
export function formatValue(value: number, unit: CapturedPanel['unit']): string {
  const short = (number: number): string => {
    const size = Math.abs(number);
    if (size >= 1e9) return `${+(number / 1e9).toPrecision(3)} Bil`;
    if (size >= 1e6) return `${+(number / 1e6).toPrecision(3)} Mil`;
    return size >= 1e3 ? `${+(number / 1e3).toPrecision(3)} K` : `${+number.toPrecision(3)}`;
  };
  const time = (ms: number): string => {
    if (ms >= 3_600_000) return `${+(ms / 3_600_000).toPrecision(3)} h`;
    if (ms >= 60_000) return `${+(ms / 60_000).toPrecision(3)} min`;
    return ms >= 1_000 ? `${+(ms / 1_000).toPrecision(3)} s` : `${+ms.toPrecision(3)} ms`;
  };
  switch (unit) {
    case 'ms':
      return time(value);
    case 's':
      return time(value * 1_000);
    case 'ops':
      return `${short(value)} ops/s`;
    case 'percent':
      return `${+value.toPrecision(3)}%`;
    case 'percentunit':
      return `${+(value * 100).toPrecision(3)}%`;
    case 'currencyUSD':
      return `$${+value.toPrecision(3)}`;
    case 'bytes':
      return value >= 2 ** 30 ? `${+(value / 2 ** 30).toPrecision(3)} GiB` : `${+(value / 2 ** 20).toPrecision(3)} MiB`;
    case 'bool':
      return value === 0 ? 'False' : value === 1 ? 'True' : '';
    default:
      return short(value);
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
