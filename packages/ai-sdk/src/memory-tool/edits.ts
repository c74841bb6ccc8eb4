import type {
  CreateCommand,
  DeleteCommand,
  InsertCommand,
  MemoryCommand,
  RenameCommand,
  StrReplaceCommand,
} from './commands.js';
import type { Layout, StoredLine } from './layout.js';
import { type Change, rewrite } from './memory-files.js';
import type { MemoryLines } from './memory-lines.js';
import { foldersAbove, isWithin, readPath, ROOT } from './paths.js';
import { numberLines } from './render.js';

/** What a command makes of the files. It may be called again, if somebody else has changed them. */
type Plan = (layout: Layout, lines: MemoryLines) => Promise<Change<string>>;

type Files = Layout['files'];

/** Lines around the first line of a change that its answer shows. */
const CONTEXT_LINES = 2;

/** Throws if the command cannot be carried out, whatever the files are. */
export function readChange(command: Exclude<MemoryCommand, { command: 'view' }>): Plan {
  switch (command.command) {
    case 'create':
      return create(command);
    case 'str_replace':
      return replace(command);
    case 'insert':
      return insert(command);
    case 'delete':
      return remove(command);
    case 'rename':
      return rename(command);
  }
}

function create({ path: asked, file_text }: CreateCommand): Plan {
  const path = readPath(asked);
  requireString('file_text', file_text);
  return async ({ files }, lines) => {
    if (exists(files, path)) throw new Error(`File ${asked} already exists`);
    requireFolders(files, path);
    const change = await rewrite(files, lines, { path, shown: [], text: file_text });
    return { ...change, result: `File created successfully at: ${asked}` };
  };
}

function replace({ path: asked, old_str, new_str }: StrReplaceCommand): Plan {
  const path = readPath(asked);
  requireString('old_str', old_str);
  requireString('new_str', new_str);
  return async ({ files }, lines) => {
    const shown = await lines.show(requireFile(files, path, asked));
    const text = shown.map((line) => line.text).join('\n');
    const start = findOnce(text, old_str, asked);
    const edited = text.slice(0, start) + new_str + text.slice(start + old_str.length);
    const change = await rewrite(files, lines, { path, shown, text: edited });
    const first = Math.max(0, lineOf(text, start) - 1 - CONTEXT_LINES);
    const last = lineOf(text, start) + CONTEXT_LINES;
    const snippet = numberLines(edited.split('\n').slice(first, last), first + 1);
    const result = `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
    return { ...change, result };
  };
}

function insert({ path: asked, insert_line, insert_text }: InsertCommand): Plan {
  const path = readPath(asked);
  requireString('insert_text', insert_text);
  return async ({ files }, lines) => {
    const shown = await lines.show(requireFile(files, path, asked));
    const texts = shown.map(({ text }) => text);
    if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > texts.length)
      throw new Error(
        `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${texts.length}]`,
      );
    const text = texts.toSpliced(insert_line, 0, insert_text.replace(/\n$/, '')).join('\n');
    return { ...(await rewrite(files, lines, { path, shown, text })), result: `The file ${asked} has been edited.` };
  };
}

function remove({ path: asked }: DeleteCommand): Plan {
  const path = readPath(asked);
  if (path === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`);
  return async ({ files }, lines) => {
    if (!exists(files, path)) throw new Error(`The path ${asked} does not exist`);
    const inside = [...files].filter(([file]) => isWithin(path, file));
    const gone = await lines.show(inside.flatMap(([, stored]) => stored));
    const rest = new Map([...files].filter(([file]) => !isWithin(path, file)));
    return { files: rest, gone, result: `Successfully deleted ${asked}` };
  };
}

function rename({ old_path, new_path }: RenameCommand): Plan {
  const [from, to] = [readPath(old_path), readPath(new_path)];
  if (from === ROOT) throw new Error(`Cannot rename the ${ROOT} directory itself`);
  return async ({ files }) => {
    if (to === ROOT || exists(files, to)) throw new Error(`The destination ${new_path} already exists`);
    if (!exists(files, from)) throw new Error(`The path ${old_path} does not exist`);
    if (isWithin(from, to)) throw new Error(`Cannot move ${old_path} into itself`);
    requireFolders(files, to);
    const moved = [...files].map(([file, stored]): [string, readonly StoredLine[]] => [
      isWithin(from, file) ? to + file.slice(from.length) : file,
      stored,
    ]);
    return { files: new Map(moved), gone: [], result: `Successfully renamed ${old_path} to ${new_path}` };
  };
}

/** Whether there is a file, or a folder: one exists as long as there is a file in it. */
function exists(files: Files, path: string): boolean {
  return path === ROOT || [...files.keys()].some((file) => isWithin(path, file));
}

function requireFile(files: Files, path: string, asked: string): readonly StoredLine[] {
  if (!exists(files, path)) throw new Error(`The path ${asked} does not exist. Please provide a valid path.`);
  const file = files.get(path);
  if (file === undefined) throw new Error(`The path ${asked} is not a file.`);
  return file;
}

function requireFolders(files: Files, path: string): void {
  const file = foldersAbove(path).find((folder) => files.has(folder));
  if (file !== undefined)
    throw new Error(`The path ${file} is a file, so there can be nothing in it. Use another path.`);
}

/** Models are not held to the schema of the tool. */
function requireString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new Error(`Give \`${name}\`: a text.`);
}

/** Where the text occurs, which has to be in one place. */
function findOnce(text: string, wanted: string, asked: string): number {
  const starts: number[] = [];
  let at = wanted === '' ? -1 : text.indexOf(wanted);
  while (at !== -1) {
    starts.push(at);
    at = text.indexOf(wanted, at + 1);
  }
  const [start, ...others] = starts;
  if (start === undefined)
    throw new Error(`No replacement was performed, old_str \`${wanted}\` did not appear verbatim in ${asked}.`);
  if (others.length === 0) return start;
  const lines = [...new Set(starts.map((position) => lineOf(text, position)))].join(', ');
  throw new Error(
    `No replacement was performed. Multiple occurrences of old_str \`${wanted}\` in lines: ${lines}. Please ensure it is unique`,
  );
}

/** The number of the line at a position, from 1. */
function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
