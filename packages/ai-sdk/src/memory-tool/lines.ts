/** A line that states something, which is a memory, with the marks around it: "- [ ] The user likes tea." */
interface Statement {
  readonly before: string;
  readonly statement: string;
  readonly after: string;
}

/** A line of a file: a statement, or what only gives the file its form. */
export type Line = Statement | string;

/** Indentation, bullets, numbers and checkboxes, of a line without blanks at its end: so each matches in one pass. */
const MARKS = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(?:\[[ xX]\]\s+)?/;
/** Of one line, also for a reader to whom more than `\n` ends one: what stands below a heading is no form. */
const HEADING = /^ {0,3}#{1,6}[^\S\r\u2028\u2029].*\r?$/;
/** A longer heading says something, and is a memory. */
const MAX_HEADING_LENGTH = 80;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

export function readLine(line: string): Line {
  if (!SAYS_SOMETHING.test(line) || (line.length <= MAX_HEADING_LENGTH && HEADING.test(line))) return line;
  const text = line.trimEnd();
  const marked = MARKS.exec(text)![0];
  // Form is saved as it is, so numbers that no statement follows are no marks.
  const start = SAYS_SOMETHING.test(text.slice(marked.length)) ? marked.length : text.search(/\S/);
  return { before: text.slice(0, start), statement: text.slice(start), after: line.slice(text.length) };
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
