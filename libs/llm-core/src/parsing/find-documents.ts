import { type CompletePart, scanStructure } from './scan-structure.js';

/** A part of an answer that may be its JSON document. */
export interface DocumentText {
  readonly text: string;
  /** True if its brackets are not balanced: it was truncated, or a string in it is broken. */
  readonly isOpen: boolean;
  readonly completePart: CompletePart | null;
}

/**
 * Limit of unclosed documents that are tried, because each is scanned to the end of the text; a closed one costs only
 * its own length.
 */
const MAX_OPEN_DOCUMENTS = 3;
/** The maximum number of memories of an answer, in case each is a separate object. */
const MAX_DOCUMENTS = 200;
const BEGINS_LIKE_JSON = /^(?:\{\s*(?:["'\u2018-\u201f\\&]|\w+\s*:)|\[\s*\{)/;

/**
 * Finds the objects and arrays of a text, from left to right; text between them (prose, fences) is skipped. An unclosed
 * bracket in prose is skipped; an unclosed document is the last one.
 */
export function* findDocuments(text: string): Generator<DocumentText> {
  let documents = 0;
  let openDocuments = 0;
  for (let start = findBracket(text, 0); start >= 0 && openDocuments < MAX_OPEN_DOCUMENTS;) {
    documents += 1;
    if (documents > MAX_DOCUMENTS) return;
    const { end, completePart } = scanStructure(text, start);
    const document = text.slice(start, end ?? text.length);
    yield { text: document, isOpen: end === null, completePart };
    if (end === null && BEGINS_LIKE_JSON.test(document)) return;
    if (end === null) openDocuments += 1;
    start = findBracket(text, end ?? start + 1);
  }
}

/**
 * Truncates the text after its last closing bracket, without prose or a fence that follows; null if nothing follows.
 */
export function cutBehindLastBracket(text: string): string | null {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  return end > 0 && end < text.length ? text.slice(0, end) : null;
}

function findBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}
