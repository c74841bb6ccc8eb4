import { type CompletePart, scanStructure } from './scan-structure.js';

/** A part of an answer that may be its document. */
export interface DocumentText {
  readonly text: string;
  /** Its brackets are not balanced: it was cut, or a string in it is broken. */
  readonly isOpen: boolean;
  readonly completePart: CompletePart | null;
}

/** Every open bracket is followed to the end of the text, so only so many are tried; closed ones cost their length. */
const MAX_OPEN_DOCUMENTS = 3;
/** As many as an answer may have memories, should each come as an object of its own. */
const MAX_DOCUMENTS = 200;
const BEGINS_LIKE_JSON = /^(?:\{\s*(?:["'\u2018-\u201f\\&]|\w+\s*:)|\[\s*\{)/;

/**
 * The objects and arrays of a text, from left to right; what stands between them (prose, fences) is left out. A bracket
 * of prose that is never closed is stepped over; a document that is never closed is the last one.
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

/** The text up to its last closing bracket, without prose or a fence that follows; null when that is all of it. */
export function cutBehindLastBracket(text: string): string | null {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  return end > 0 && end < text.length ? text.slice(0, end) : null;
}

function findBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}
