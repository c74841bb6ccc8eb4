import { parseDocument } from 'yaml';
import { unescapeEmbeds } from './embeds.js';

/** A file of the vault as somebody left it. */
export interface ParsedVaultFile {
  /** Its front matter; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text below, without white space around it and as the database has it. */
  readonly content: string;
}

/** More than a front matter of Annals refers to itself: it does not. */
const MAX_ALIASES = 0;
const FRONT_MATTER = /^---[ \t]*\n(?:([\s\S]*?)\n)??---[ \t]*(?:\n|$)/;

/**
 * Reads what `renderVaultFile` writes, also after an editor changed its line ends, its quotes or the order of its fields. Null: the
 * front matter is not closed or is no YAML mapping.
 */
export function parseVaultFile(text: string): ParsedVaultFile | null {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const toContent = (body: string) => unescapeEmbeds(body).trim();
  if (!/^---[ \t]*\n/.test(plain)) return { fields: {}, content: toContent(plain) };
  const found = FRONT_MATTER.exec(plain);
  if (!found) return null;
  const fields = parseFields(found[1] ?? '');
  return fields && { fields, content: toContent(plain.slice(found[0].length)) };
}

function parseFields(yaml: string): Readonly<Record<string, unknown>> | null {
  const document = parseDocument(yaml, { logLevel: 'silent' });
  if (document.errors.length > 0) return null;
  try {
    const fields: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (fields === null || fields === undefined) return {};
    return typeof fields === 'object' && !Array.isArray(fields) ? (fields as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** What a merge that was not finished leaves in a text. */
const CONFLICT_MARKER = /^(?:<{7}|>{7}|\|{7})(?: |$)|^={7}$/m;

export function hasConflictMarkers(text: string): boolean {
  return CONFLICT_MARKER.test(text.replaceAll(/\r\n?/g, '\n'));
}
