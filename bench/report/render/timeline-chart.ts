import type { FaultRun } from '../faults/run-faults.ts';
import { COLOURS, FAINT, renderSvg, TEXT } from './chart.ts';

const WIDTH = 1_000;
const TOP = 50;
const PANEL_HEIGHT = 120;
const PANEL_GAP = 56;

interface Panel {
  readonly title: string;
  readonly scale?: 'log';
  readonly lines: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The course of a run: what clients saw and what the pipeline did, with a line at each fault. */
export function renderTimelineChart({ clients, pipeline, faults }: FaultRun): string {
  const panels: Panel[] = [
    {
      title: 'Accepted and remembered, per second',
      lines: { 'posts accepted': clients.accepted, 'memories written': pipeline.remembered },
    },
    {
      title: 'Time of a query, ms',
      scale: 'log',
      lines: { median: clients.queryP50, '95 %': clients.queryP95 },
    },
    {
      title: 'Requests that had to be sent again, per second',
      lines: { 'without an answer': clients.unanswered, 'answered 429 or 5xx': clients.failed },
    },
    { title: 'Work that is due', lines: { rows: pipeline.due } },
    { title: 'Age of the oldest work that is due, s', lines: { seconds: pipeline.oldestDueSeconds } },
    { title: 'Most used budget, % of its limit', lines: { 'per cent': pipeline.budgetPercent } },
  ];
  const minuteOf = (index: number) => (index * clients.bucketSeconds) / 60;
  const endMinute = minuteOf(clients.accepted.length);
  const faultLines = faults.map(({ atMs }, index) => ({ xAxis: atMs / 60_000, name: `${index + 1}` }));
  const topOf = (index: number) => TOP + index * (PANEL_HEIGHT + PANEL_GAP);
  const isLast = (index: number) => index === panels.length - 1;
  return renderSvg(
    {
      title: panels.map(({ title }, index) => ({
        text: title,
        left: 50,
        top: topOf(index) - 40,
        textStyle: { fontSize: 13, color: TEXT },
      })),
      legend: panels.map(({ lines }, index) => ({
        data: Object.keys(lines).map((_, at) => seriesName(panels, index, at)),
        formatter: (name: string) => name.split('|')[1]!,
        right: 50,
        top: topOf(index) - 42,
        itemHeight: 8,
        textStyle: { color: TEXT },
      })),
      grid: panels.map((_, index) => ({ left: 60, right: 20, top: topOf(index), height: PANEL_HEIGHT })),
      xAxis: panels.map((_, index) => ({
        type: 'value',
        gridIndex: index,
        min: 0,
        max: endMinute,
        interval: 5,
        name: isLast(index) ? 'minutes' : '',
        nameLocation: 'middle',
        nameGap: 24,
        splitLine: { show: false },
        axisLabel: { color: TEXT, formatter: (value: number) => `${Math.round(value * 10) / 10}` },
      })),
      yAxis: panels.map(({ scale }, index) => ({
        type: scale ?? 'value',
        gridIndex: index,
        ...(scale === 'log' ? {} : { min: 0 }),
        splitNumber: 3,
        splitLine: { lineStyle: { color: FAINT } },
        axisLabel: { color: TEXT },
      })),
      series: panels.flatMap(({ lines, scale }, index) =>
        Object.values(lines).map((values, at) => ({
          type: 'line',
          name: seriesName(panels, index, at),
          xAxisIndex: index,
          yAxisIndex: index,
          showSymbol: false,
          lineStyle: { width: 1.2 },
          color: COLOURS[at],
          data: values.map((value, bucket) => [
            minuteOf(bucket),
            scale === 'log' && value !== null ? Math.max(1, value) : value,
          ]),
          ...(at === 0 && {
            markLine: {
              symbol: 'none',
              silent: true,
              lineStyle: { color: '#999999', type: 'dashed', width: 0.7 },
              label: { show: index === 0, formatter: '{b}', fontSize: 9, color: TEXT, distance: 2 },
              data: faultLines,
            },
          }),
        })),
      ),
    },
    { width: WIDTH, height: topOf(panels.length) - PANEL_GAP + 40 },
  );
}

/** Names of series are one space for the whole chart. */
function seriesName(panels: readonly Panel[], index: number, at: number): string {
  return `${index}|${Object.keys(panels[index]!.lines)[at]}`;
}
