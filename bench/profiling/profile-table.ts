import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { formatColumns } from '../frame/table.ts';
import { readPartTimes } from './cpu-profile.ts';
import { type MeasuredSpan, readMeasuredSpans } from './measured-spans.ts';

const EXTENSION = '.cpuprofile';

type Parts = ReadonlyMap<string, number>;

interface Column {
  readonly title: string;
  /** Of each part, in ms of CPU a conversation or in percent. */
  readonly parts: Parts;
}

/**
 * Where the CPU of a suite's service processes went, by service, from their profiles in its `folder`: in ms a
 * conversation in the spans that the suite noted, or in percent of the whole run. Empty without profiles.
 */
export function formatProfiles(folder: string): string {
  const profiles = findProfiles(folder);
  if (profiles.length === 0) return '';
  const spans = readMeasuredSpans(folder);
  const suite = path.basename(folder);
  if (spans.length === 0) return format(`${suite}: CPU, % of the run`, toColumns(folder, profiles, describeRun));
  const measured = profiles.filter((profile) => spans.some((span) => span.profile === profile));
  const columns = toColumns(folder, measured, (files) =>
    addUp(files.map((file) => describeSpans(file, spansOf(spans, file)))),
  );
  const together = { title: 'together', parts: addUp(columns.map(({ parts }) => parts)) };
  return format(`${suite}: CPU, ms a conversation`, [...columns, together]);
}

function findProfiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
  return names.map((name) => path.basename(name, EXTENSION)).toSorted();
}

/** A column for each service, of all its processes. */
function toColumns(
  folder: string,
  profiles: readonly string[],
  describe: (files: readonly string[]) => Parts,
): Column[] {
  const services = Map.groupBy(profiles, (profile) => profile.replace(/-\d+$/, ''));
  return [...services].map(([title, names]) => ({
    title,
    parts: describe(names.map((name) => path.join(folder, `${name}${EXTENSION}`))),
  }));
}

function describeRun(files: readonly string[]): Parts {
  return scaleTo(100, addUp(files.map((file) => readPartTimes(file, undefined))));
}

function spansOf(spans: readonly MeasuredSpan[], file: string): MeasuredSpan[] {
  return spans.filter(({ profile }) => profile === path.basename(file, EXTENSION));
}

function describeSpans(file: string, spans: readonly MeasuredSpan[]): Parts {
  const sum = (figure: 'cpuMs' | 'conversations') => spans.reduce((total, span) => total + span[figure], 0);
  return scaleTo(sum('cpuMs') / sum('conversations'), readPartTimes(file, spans));
}

function scaleTo(whole: number, parts: Parts): Parts {
  const total = totalOf(parts);
  return new Map([...parts].map(([part, value]) => [part, (value / total) * whole]));
}

function addUp(all: readonly Parts[]): Parts {
  const sums = new Map<string, number>();
  for (const parts of all) for (const [part, value] of parts) sums.set(part, (sums.get(part) ?? 0) + value);
  return sums;
}

function totalOf(parts: Parts): number {
  return [...parts.values()].reduce((sum, value) => sum + value, 0);
}

function format(head: string, columns: readonly Column[]): string {
  const sums = addUp(columns.map(({ parts }) => parts));
  const names = [...sums.keys()].toSorted((a, b) => sums.get(b)! - sums.get(a)!);
  const cells = [
    [head, ...columns.map(({ title }) => title)],
    ...names.map((name) => [name, ...columns.map(({ parts }) => (parts.get(name) ?? 0).toFixed(2))]),
    ['in all', ...columns.map(({ parts }) => totalOf(parts).toFixed(2))],
  ];
  return formatColumns(cells, (column) => column > 0);
}
