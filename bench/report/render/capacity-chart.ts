import type { CapacityRun, KindCapacity } from '../capacity/capacity.ts';
import { findKnee } from '../capacity/find-knee.ts';
import { COLOURS, FAINT, renderSvg, TEXT } from './chart.ts';

const COLUMNS = 2;
const PANEL = { width: 400, height: 150 };
const GAP = { x: 110, y: 90 };
const MARGIN = { left: 60, top: 60 };

/** For each kind of process: what it carried of what was offered, and how long that took. */
export function renderCapacityChart({ kinds }: CapacityRun): string {
  const leftOf = (index: number) => MARGIN.left + (index % COLUMNS) * (PANEL.width + GAP.x);
  const topOf = (index: number) => MARGIN.top + Math.floor(index / COLUMNS) * (PANEL.height + GAP.y);
  const rows = Math.ceil(kinds.length / COLUMNS);
  return renderSvg(
    {
      title: kinds.map(({ title }, index) => ({
        text: title,
        left: leftOf(index) - 10,
        top: topOf(index) - 36,
        textStyle: { fontSize: 13, color: TEXT },
      })),
      legend: { data: [...LINES], top: 2, itemHeight: 8, textStyle: { color: TEXT } },
      grid: kinds.map((_, index) => ({ left: leftOf(index), top: topOf(index), ...PANEL })),
      xAxis: kinds.map(({ unit }, index) => ({
        type: 'value',
        gridIndex: index,
        min: 0,
        name: `${unit} offered per second`,
        nameLocation: 'middle',
        nameGap: 24,
        splitLine: { show: false },
        axisLabel: { color: TEXT },
      })),
      yAxis: kinds.flatMap(({ limitMs, steps }, index) => [
        {
          type: 'value',
          gridIndex: index,
          min: 0,
          splitNumber: 3,
          splitLine: { lineStyle: { color: FAINT } },
          axisLabel: { color: TEXT },
        },
        {
          type: 'value',
          gridIndex: index,
          min: 0,
          // The limit is in the picture, and what lies far above it does not hide the rest.
          max: Math.min(limitMs * 2, Math.max(limitMs * 1.2, ...steps.map(({ p95 }) => p95))),
          splitNumber: 3,
          splitLine: { show: false },
          axisLabel: { color: COLOURS[1], formatter: (ms: number) => (ms >= 2_000 ? `${ms / 1_000} s` : `${ms} ms`) },
        },
      ]),
      series: kinds.flatMap(describeLines),
    },
    {
      width: MARGIN.left + COLUMNS * PANEL.width + (COLUMNS - 1) * GAP.x + 70,
      height: MARGIN.top + rows * (PANEL.height + GAP.y) - 20,
    },
  );
}

const LINES = ['carried per second', 'time, 95 %', 'offered'] as const;

function describeLines({ steps, limitMs }: KindCapacity, index: number): object[] {
  const knee = findKnee(steps, limitMs);
  const line = (at: number, values: readonly (readonly [number, number])[], more: object = {}) => ({
    type: 'line',
    name: LINES[at],
    xAxisIndex: index,
    yAxisIndex: index * 2 + (at === 1 ? 1 : 0),
    color: at === 2 ? FAINT : COLOURS[at],
    symbolSize: 5,
    showSymbol: at !== 2,
    lineStyle: { width: 1.5, type: at === 2 ? 'dashed' : 'solid' },
    data: values,
    ...more,
  });
  const kneeLine = knee && {
    markLine: {
      symbol: 'none',
      silent: true,
      lineStyle: { color: '#666666', type: 'dotted' },
      label: { formatter: 'knee', fontSize: 10, color: TEXT },
      data: [{ xAxis: knee.offered }],
    },
  };
  return [
    line(
      2,
      steps.map(({ offered }) => [offered, offered]),
    ),
    line(
      0,
      steps.map(({ offered, carried }) => [offered, carried]),
      kneeLine,
    ),
    line(
      1,
      steps.map(({ offered, p95 }) => [offered, p95]),
    ),
  ];
}
