import type { QueryResult } from './query.ts';
import { average, type Measure, MEASURES, type Scores, scoreQuestion } from './score.ts';

/** Questions that the conversation does not answer, so they are not in the totals. */
const EXCLUDED_CATEGORY = 'adversarial';

export interface Side {
  readonly name: string;
  readonly results: readonly QueryResult[];
}

export interface ReportRow {
  readonly side: string;
  readonly category: string;
  readonly questions: number;
  readonly scores: Readonly<Record<Measure, number | null>>;
}

/** One row for all questions of a side, and one for each category; adversarial questions have only their own row. */
export function summarize({ name, results }: Side): ReportRow[] {
  const scored = results.map(({ question, answers }) => ({
    category: question.category,
    scores: scoreQuestion(question, answers),
  }));
  const categories = [...new Set(scored.map(({ category }) => category))].toSorted();
  const row = (category: string, of: typeof scored) =>
    averageRow(
      name,
      category,
      of.map(({ scores }) => scores),
    );
  return [
    row(
      'all',
      scored.filter(({ category }) => category !== EXCLUDED_CATEGORY),
    ),
    ...categories.map((category) =>
      row(
        category,
        scored.filter((entry) => entry.category === category),
      ),
    ),
  ];
}

/** One row: the mean of each measure over questions. */
export function averageRow(side: string, category: string, of: readonly Scores[]): ReportRow {
  const means = MEASURES.map((measure) => [measure, average(of.map((scores) => scores[measure]))]);
  return { side, category, questions: of.length, scores: Object.fromEntries(means) as ReportRow['scores'] };
}

/** What each measure of a row gained from `before` to `after`: rows of the same categories. */
export function subtractRows(after: readonly ReportRow[], before: readonly ReportRow[]): ReportRow[] {
  const byCategory = new Map(before.map((row) => [row.category, row]));
  return after.flatMap((row) => {
    const earlier = byCategory.get(row.category);
    if (!earlier) return [];
    const gained = MEASURES.map((measure) => {
      const [now, then] = [row.scores[measure], earlier.scores[measure]];
      return [measure, now === null || then === null ? null : now - then];
    });
    return [{ ...row, side: 'difference', scores: Object.fromEntries(gained) as ReportRow['scores'] }];
  });
}

/** The rows as a table of plain text, in per cent. */
export function formatReport(rows: readonly ReportRow[]): string {
  const titles = ['', 'questions', ...MEASURES.map(shorten)];
  const sides = [...new Set(rows.map(({ side }) => side))];
  const widths = titles.map((title) => Math.max(6, title.length));
  widths[0] = Math.max(...rows.map(({ category }) => category.length + 2));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ');
  const lines = [line(titles)];
  for (const side of sides) {
    lines.push(side);
    for (const { category, questions, scores } of rows.filter((row) => row.side === side)) {
      lines.push(line([`  ${category}`, `${questions}`, ...MEASURES.map((measure) => formatShare(scores[measure]))]));
    }
  }
  return `${lines.join('\n')}\n`;
}

function shorten(measure: Measure): string {
  return measure
    .replace('recall@', 'r@')
    .replace('recall in', 'r in')
    .replace(' tokens', 't')
    .replace(' of the answer in 10', '@10');
}

function formatShare(value: number | null): string {
  return value === null ? '-' : (value * 100).toFixed(1);
}
