import { computeRatio, type Row } from './row.ts';

const TITLES = ['id', 'what', 'ours', 'raw', 'ours/raw', 'target', 'met'];
const RIGHT_ALIGNED = new Set([2, 4]);

/** The rows as a table of plain text. */
export function formatTable(rows: readonly Row[]): string {
  const cells = [TITLES, ...rows.map(toCells)];
  const widths = TITLES.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) => formatLine(row, widths));
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return `${lines.join('\n')}\n`;
}

function toCells(row: Row): string[] {
  const { id, what, value, unit, raw, target } = row;
  const ratio = computeRatio(row);
  return [
    id,
    what,
    `${formatNumber(value)} ${unit}`,
    raw === undefined ? '' : `${formatNumber(raw.value)} (${raw.what})`,
    ratio === undefined ? '' : formatNumber(ratio),
    target?.text ?? '',
    target === undefined ? '' : target.met ? 'yes' : 'NO',
  ];
}

function formatLine(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => (RIGHT_ALIGNED.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
    .join('  ')
    .trimEnd();
}

function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
