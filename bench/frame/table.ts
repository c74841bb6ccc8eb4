import { computeRatio, type Row } from './row.ts';

const TITLES = ['id', 'what', 'ours', 'raw', 'ours/raw', 'target', 'met'];
const RIGHT_ALIGNED = new Set([2, 4]);

/** The rows as a table of plain text. */
export function formatTable(rows: readonly Row[]): string {
  return formatColumns([TITLES, ...rows.map(toCells)], (column) => RIGHT_ALIGNED.has(column));
}

/** Cells in columns of plain text; the first row has their titles. */
export function formatColumns(
  cells: readonly (readonly string[])[],
  isRightAligned: (column: number) => boolean,
): string {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const formatLine = (row: readonly string[]) =>
    row
      .map((cell, column) => (isRightAligned(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd();
  const lines = cells.map(formatLine);
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

function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
