import { parseArgs } from 'node:util';

const IMPORT_FORMATS = ['auto', 'annals', 'mem0', 'openai', 'claude'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
const EXPORT_FORMATS = ['ndjson', 'markdown'] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ImportCommand {
  readonly action: 'import';
  readonly file: string;
  readonly user: string;
  readonly format: ImportFormat;
  readonly isDryRun: boolean;
  readonly category: string;
  /** Categories of Annals by those of mem0. */
  readonly categories: ReadonlyMap<string, string>;
  readonly fromUser: string | undefined;
  readonly waits: boolean;
  readonly notTaken: string | undefined;
  readonly state: string | undefined;
  readonly url: string | undefined;
}

export interface ExportCommand {
  readonly action: 'export';
  readonly user: string;
  readonly format: ExportFormat;
  readonly out: string | undefined;
  readonly hasConversations: boolean;
  readonly url: string | undefined;
}

/** What the program is asked to do, or why it does nothing. */
export type Invocation =
  { readonly action: 'help' | 'version' } | ImportCommand | ExportCommand | { readonly refusal: string };

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const SHARED = { user: text, format: text, url: text, help: { type: 'boolean', short: 'h' }, version: flag } as const;
const OF_IMPORT = {
  ...SHARED,
  'dry-run': flag,
  category: text,
  map: { type: 'string', multiple: true },
  'from-user': text,
  'no-wait': flag,
  'not-taken': text,
  state: text,
} as const;
const OF_EXPORT = { ...SHARED, out: text, conversations: flag } as const;

const DEFAULT_CATEGORY = 'knowledge';

export function readArguments(args: readonly string[]): Invocation {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { action: 'help' };
  if (args.includes('--version')) return { action: 'version' };
  const [command, ...rest] = args;
  if (command === 'import') return attempt(() => readImport(rest));
  if (command === 'export') return attempt(() => readExport(rest));
  if (command === undefined) return { refusal: 'Give a command: annals --help lists them.' };
  return { refusal: `There is no command ${JSON.stringify(command)}: annals --help lists those that there are.` };
}

class Refusal extends Error {}

function attempt(read: () => Invocation): Invocation {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    if (isArgumentError(error))
      return { refusal: `${error.message.split('. ')[0]!}: annals --help lists the options.` };
    throw error;
  }
}

function readImport(args: readonly string[]): ImportCommand {
  const { values, positionals } = parseArgs({ args: [...args], options: OF_IMPORT, allowPositionals: true });
  const [file, extra] = positionals;
  if (file === undefined) throw new Refusal('Give the file to import: annals import <file> --user <id>.');
  if (extra !== undefined) throw new Refusal(`Leave out ${JSON.stringify(extra)}: one file is imported at a time.`);
  return {
    action: 'import',
    file,
    user: requireUser(values.user),
    format: oneOf(IMPORT_FORMATS, values.format ?? 'auto'),
    isDryRun: values['dry-run'] ?? false,
    category: values.category ?? DEFAULT_CATEGORY,
    categories: new Map((values.map ?? []).map(readMapping)),
    fromUser: values['from-user'],
    waits: !(values['no-wait'] ?? false),
    notTaken: values['not-taken'],
    state: values.state,
    url: values.url,
  };
}

function readExport(args: readonly string[]): ExportCommand {
  const { values, positionals } = parseArgs({ args: [...args], options: OF_EXPORT, allowPositionals: true });
  if (positionals.length > 0) {
    throw new Refusal(`Leave out ${JSON.stringify(positionals[0])}: name the file with --out.`);
  }
  return {
    action: 'export',
    user: requireUser(values.user),
    format: oneOf(EXPORT_FORMATS, values.format ?? 'ndjson'),
    out: values.out,
    hasConversations: values.conversations ?? false,
    url: values.url,
  };
}

function requireUser(user: string | undefined): string {
  if (user === undefined || user === '') throw new Refusal('Give the user of Annals with --user <id>.');
  return user;
}

function oneOf<const Name extends string>(names: readonly Name[], name: string): Name {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new Refusal(`Give --format one of ${names.join(', ')}.`);
  return found;
}

function readMapping(mapping: string): [from: string, to: string] {
  const at = mapping.lastIndexOf('=');
  if (at <= 0 || at === mapping.length - 1) {
    throw new Refusal(`Write --map ${JSON.stringify(mapping)} as <category of mem0>=<category of Annals>.`);
  }
  return [mapping.slice(0, at), mapping.slice(at + 1)];
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
