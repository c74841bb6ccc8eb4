import type { CapturedPanel } from './capture.ts';

/** Grafana's classic palette, from its first colour. */
const COLOURS = [
  '#73bf69',
  '#f2cc0c',
  '#5794f2',
  '#ff9830',
  '#f2495c',
  '#b877d9',
  '#37872d',
  '#8ab8ff',
  '#e0b400',
  '#c4162a',
];
const TARGET = '#f2495c';
/** Longer gaps are gaps in the line. */
const MOST_STEPS_APART = 3;

/** What a panel shows: a chart of echarts, as data. */
export interface DescribedPanel {
  readonly title: string;
  readonly unit: CapturedPanel['unit'];
  readonly isEmpty: boolean;
  readonly option: object;
}

export function describePanel(
  { title, unit, target, series }: CapturedPanel,
  { from, to }: { readonly from: number; readonly to: number },
): DescribedPanel {
  const drawn = series.filter(({ points }) => points.length > 0);
  const highest = Math.max(target?.value ?? 0, ...drawn.flatMap(({ points }) => points.map(([, value]) => value)));
  return {
    title,
    unit,
    isEmpty: drawn.length === 0,
    option: {
      animation: false,
      color: COLOURS,
      grid: { left: 66, right: 16, top: 12, bottom: 66 },
      legend: {
        type: 'scroll',
        bottom: 6,
        left: 8,
        icon: 'roundRect',
        itemWidth: 10,
        itemHeight: 10,
        textStyle: { fontSize: 11 },
        pageIconSize: 9,
      },
      xAxis: {
        type: 'time',
        min: from * 1_000,
        max: to * 1_000,
        splitNumber: 6,
        splitLine: { show: true, lineStyle: { color: '#eceef0' } },
        axisLabel: { fontSize: 11 },
      },
      yAxis: {
        type: 'value',
        min: 0,
        // Grafana draws a target where it is, though all values are far below it.
        max: unit === 'bool' ? 1 : highest === 0 ? 1 : null,
        ...(unit === 'bool' && { interval: 1 }),
        splitNumber: 4,
        splitLine: { lineStyle: { color: '#eceef0' } },
        axisLabel: { fontSize: 11 },
      },
      series: drawn.map(({ name, points }, index) => ({
        type: 'line',
        name: name || 'value',
        showSymbol: points.length === 1,
        symbolSize: 5,
        lineStyle: { width: 1.2 },
        data: withGaps(points),
        ...(index === 0 && target && { markLine: describeTarget(target.value) }),
      })),
    },
  };
}

function describeTarget(value: number): object {
  return {
    silent: true,
    symbol: 'none',
    label: { show: false },
    lineStyle: { color: TARGET, type: 'solid', width: 1 },
    data: [{ yAxis: value }],
  };
}

/** In epoch ms, with an empty point where several are missing, so that no line is drawn across. */
function withGaps(points: CapturedPanel['series'][number]['points']): (readonly [number, number | null])[] {
  const step = Math.min(...points.slice(1).map(([at], index) => at - points[index]![0]));
  return points.flatMap(([at, value], index): (readonly [number, number | null])[] => {
    const previous = points[index - 1];
    const isGap = previous !== undefined && at - previous[0] > step * MOST_STEPS_APART;
    return [...(isGap ? [[previous[0] * 1_000 + 1, null] as const] : []), [at * 1_000, value]];
  });
}
