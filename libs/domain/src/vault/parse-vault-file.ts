import { parseDocument, visit } from 'yaml';
import { unescapeEmbeds } from './embeds.js';

/** A file of the vault as somebody left it. */
export interface ParsedVaultFile {
  /** Its front matter; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether its front matter has comments. */
  readonly hasComments: boolean;
  /** The text below, without white space around it and as the database has it. */
  readonly content: string;
}

/** More than a front matter of Annals refers to itself: it does not. */
const MAX_ALIASES = 0;
/** Of a front matter, which takes time to parse by its length. Some sources of a memory are on as many lines. */
const MAX_FRONT_MATTER = 16_384;
const MAX_LINES = 400;
const BEGIN = /^---[ \t]*\n/;
const END = /^---[ \t]*(?:\n|$)/m;

/**
 * Reads what `renderVaultFile` writes, also after an editor changed its line ends, its quotes or the order of its fields. Null: the
 * front matter is not closed, longer than 16 KiB or 400 lines, or no YAML mapping with each key once.
 */
export function parseVaultFile(text: string): ParsedVaultFile | null {
  const found = splitFrontMatter(text);
  if (found === null) return null;
  const parsed = found.yaml === null ? { fields: {}, hasComments: false } : parseFields(found.yaml);
  return parsed && { ...parsed, content: unescapeEmbeds(found.body).trim() };
}

/** The id in the front matter, without parsing it; null: there is none. */
export function readFileId(text: string): string | null {
  const yaml = splitFrontMatter(text)?.yaml ?? '';
  return /^id:[ \t]*["']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/im.exec(yaml)?.[1]?.toLowerCase() ?? null;
}

/** `yaml`: null without front matter. Null: it is not closed, or too long. */
function splitFrontMatter(text: string): { readonly yaml: string | null; readonly body: string } | null {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const begin = BEGIN.exec(plain);
  if (!begin) return { yaml: null, body: plain };
  const rest = plain.slice(begin[0].length);
  const end = END.exec(rest.slice(0, MAX_FRONT_MATTER));
  if (!end) return null;
  const yaml = rest.slice(0, end.index);
  if (yaml.split('\n').length > MAX_LINES) return null;
  return { yaml, body: rest.slice(end.index + end[0].length) };
}

function parseFields(yaml: string): Omit<ParsedVaultFile, 'content'> | null {
  const document = parseDocument(yaml, { logLevel: 'silent' });
  if (document.errors.length > 0) return null;
  let hasComments = Boolean(document.comment) || Boolean(document.commentBefore);
  visit(document, {
    Node: (_, node) => {
      hasComments ||= Boolean(node.comment) || Boolean(node.commentBefore);
    },
  });
  try {
    const fields: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (fields === null || fields === undefined) return { fields: {}, hasComments };
    const isMapping = typeof fields === 'object' && !Array.isArray(fields);
    return isMapping ? { fields: fields as Record<string, unknown>, hasComments } : null;
  } catch {
    return null;
  }
}

/** What a merge that was not finished leaves in a text. */
const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?: |$)|^={7}$/m;

export function hasConflictMarkers(text: string): boolean {
  return CONFLICT_MARKER.test(text.replaceAll(/\r\n?/g, '\n'));
}
