import { parseArgs } from 'node:util';

export const PARTS = ['capacity', 'faults', 'dashboards'] as const;
export type PartName = (typeof PARTS)[number];

export interface ReportOptions {
  readonly parts: readonly PartName[];
  /** Of the run with faults: one each minute. */
  readonly minutes: number;
  readonly seed: number;
}

/** Reads `--part <name>` (repeatable; default: all), `--minutes` and `--seed`. */
export function parseOptions(args: readonly string[]): ReportOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [...PARTS] },
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '20260' },
    },
  });
  return {
    parts: values.part.map((part) => {
      const known = PARTS.find((name) => name === part);
      if (!known) throw new Error(`There is no part ${part}. Parts: ${PARTS.join(', ')}.`);
      return known;
    }),
    minutes: parseCount('--minutes', values.minutes),
    seed: parseCount('--seed', values.seed),
  };
}

function parseCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`${name} has to be a whole number above 0, not ${text}.`);
}
