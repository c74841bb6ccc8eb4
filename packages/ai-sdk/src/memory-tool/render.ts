import { fileSize, type Layout } from './layout.js';
import { foldersAbove, isWithin } from './paths.js';

const MAX_DEPTH = 2;
const LINE_NUMBER_WIDTH = 6;
const UNITS = ['B', 'K', 'M', 'G'];
const UNIT_BYTES = 1_024;

/** Lines with their numbers, as in the results that the model was trained with. */
export function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join('\n');
}

/** What is in a folder. Sizes are those of the files as they were written. */
export function renderFolder(folder: string, files: Layout['files']): string {
  const sizes = new Map<string, number>([[folder, 0]]);
  for (const [path, lines] of files) {
    if (!isWithin(folder, path) || namesBelow(folder, path).some(isHidden)) continue;
    const size = fileSize(lines);
    for (const above of [folder, ...foldersAbove(path).filter((other) => other.startsWith(`${folder}/`))])
      sizes.set(above, (sizes.get(above) ?? 0) + size);
    sizes.set(path, size);
  }
  const shown = [...sizes.keys()].filter((path) => path !== folder && namesBelow(folder, path).length <= MAX_DEPTH);
  const lines = shown
    .toSorted(byPath)
    .map((path) => `${formatSize(sizes.get(path)!)}\t${path}${files.has(path) ? '' : '/'}`);
  return [
    `Here're the files and directories up to 2 levels deep in ${folder}, excluding hidden items and node_modules:`,
    `${formatSize(sizes.get(folder)!)}\t${folder}`,
    ...lines,
  ].join('\n');
}

function namesBelow(folder: string, path: string): string[] {
  return path.slice(folder.length + 1).split('/');
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** A folder before what is in it, and names by code point. */
function byPath(one: string, other: string): number {
  const [left, right] = [one.replaceAll('/', '\0'), other.replaceAll('/', '\0')];
  return left < right ? -1 : Number(left > right);
}

function formatSize(bytes: number): string {
  if (bytes === 0) return '0B';
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(UNIT_BYTES)));
  const size = bytes / UNIT_BYTES ** unit;
  return `${size % 1 === 0 ? size : size.toFixed(1)}${UNITS[unit]}`;
}
