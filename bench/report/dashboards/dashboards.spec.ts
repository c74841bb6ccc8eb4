import { type CapturedDashboard, type CapturedPanel, renderLegend } from './capture.ts';
import { describePanel } from './describe-panel.ts';
import { formatValue, PANEL, renderPage, sizeOf } from './page.ts';

const TIME = { from: 1_000, to: 2_000 };
const panel = (over: Partial<CapturedPanel> = {}): CapturedPanel => ({
  title: 'How many <jobs> are done?',
  unit: 'ops',
  series: [
    {
      name: 'extraction',
      points: [
        [1_000, 1],
        [1_010, 2],
        [1_100, 3],
      ],
    },
  ],
  ...over,
});
interface Drawn {
  readonly series: { readonly data: readonly (readonly [number, number | null])[]; readonly markLine?: object }[];
}
const draw = (over?: Partial<CapturedPanel>) => describePanel(panel(over), TIME).option as Drawn;

describe('the pictures of dashboards', () => {
  it('name lines by labels, as Grafana does', () => {
    expect(renderLegend('{{queue}}: {{ state }}', { queue: 'insights', state: 'due' })).toBe('insights: due');
    expect(renderLegend('{{scope}} {{provider}}', { scope: 'tenant' })).toBe('tenant');
  });

  it.each([
    [950, 'ms', '950 ms'],
    [90_000, 'ms', '1.5 min'],
    [0.25, 's', '250 ms'],
    [0.125, 'percentunit', '12.5%'],
    [12.5, 'percent', '12.5%'],
    [1_234, 'short', '1.23 K'],
    [3, 'ops', '3 ops/s'],
    [0.5, 'currencyUSD', '$0.5'],
    [52_428_800, 'bytes', '50 MiB'],
    [1, 'bool', 'True'],
  ] as const)('write %d in the unit %s as %s', (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text);
  });

  it('draw no line across a time without values', () => {
    const values = draw().series[0]!.data.map(([, value]) => value);
    expect(values).toEqual([1, 2, null, 3]);
  });

  it('draw a target once, with the first line', () => {
    const series = [panel().series[0]!, { ...panel().series[0]!, name: 'persistence' }];
    expect(draw({ series, target: { value: 5 } }).series.map(({ markLine }) => markLine !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(draw({ series }).series[0]!.markLine).toBeUndefined();
  });

  it('say so where there is no data', () => {
    expect(describePanel(panel({ series: [{ name: 'x', points: [] }] }), TIME).isEmpty).toBe(true);
  });

  it('are a page of their own, with titles as text and three panels in a row', () => {
    const dashboard: CapturedDashboard = {
      name: 'x',
      title: 'Annals / X',
      panels: [panel(), panel(), panel(), panel()],
    };
    const page = renderPage(dashboard, { ...TIME, dashboards: [dashboard] }, '/* charts */');
    expect(page).toContain('How many &lt;jobs&gt; are done?');
    expect(page).not.toMatch(/<jobs>|https?:\/\//);
    expect(sizeOf(dashboard).height).toBeGreaterThan(2 * PANEL.height);
    expect(sizeOf(dashboard).height).toBeLessThan(3 * PANEL.height);
  });
});
