/** A line that states something, which is a memory, with the marks around it: "- [ ] The user likes tea." */
interface Statement {
  readonly before: string;
  readonly statement: string;
  readonly after: string;
}

/** A line of a file: a statement, or what only gives the file its form. */
export type Line = Statement | string;

/** Indentation, bullets, numbers and checkboxes; what is said; blanks. */
const PARTS = /^(\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(?:\[[ xX]\]\s+)?)(.*\S)(\s*)$/;
const HEADING = /^ {0,3}#{1,6}\s/;
/** A longer heading says something, and is a memory. */
const MAX_HEADING_LENGTH = 80;

export function readLine(line: string): Line {
  if (HEADING.test(line) && line.length <= MAX_HEADING_LENGTH) return line;
  const parts = PARTS.exec(line);
  if (!parts || !/[\p{L}\p{N}]/u.test(parts[2]!)) return line;
  return { before: parts[1]!, statement: parts[2]!, after: parts[3]! };
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
