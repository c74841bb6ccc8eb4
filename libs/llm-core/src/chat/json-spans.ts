import { createScanner, type JSONScanner } from 'jsonc-parser';

/** Where a value stands in a JSON text: from its first character to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly name: string;
  /** With its name. */
  readonly whole: Span;
  readonly value: Span;
}

// Of jsonc-parser's SyntaxKind, a const enum, which isolated modules cannot read: braces and brackets, and the end.
const OPENING: ReadonlySet<number> = new Set([1, 3]);
const CLOSING: ReadonlySet<number> = new Set([2, 4]);
const ENDING: ReadonlySet<number> = new Set([2, 4, 17]);

/** The members of the object at `start` of a valid JSON text, in their order. A name may stand in it twice. */
export function listMembers(text: string, start: number): Member[] {
  const scanner = openAt(text, start);
  const members: Member[] = [];
  while (!ENDING.has(scanner.scan())) {
    if (text[scanner.getTokenOffset()] === ',') continue;
    const nameStart = scanner.getTokenOffset();
    const name = scanner.getTokenValue();
    scanner.scan();
    const value = scanValue(scanner);
    members.push({ name, whole: { start: nameStart, end: value.end }, value });
  }
  return members;
}

/** The elements of the array at `start` of a valid JSON text. */
export function listElements(text: string, start: number): Span[] {
  const scanner = openAt(text, start);
  const elements: Span[] = [];
  for (;;) {
    const element = scanValue(scanner);
    if (element.start === element.end) return elements;
    if (text[element.start] !== ',') elements.push(element);
  }
}

function openAt(text: string, start: number): JSONScanner {
  const scanner = createScanner(text, true);
  scanner.setPosition(start);
  scanner.scan();
  return scanner;
}

/** Reads the next value; an empty span where its container ends. */
function scanValue(scanner: JSONScanner): Span {
  let token: number = scanner.scan();
  const start = scanner.getTokenOffset();
  if (ENDING.has(token)) return { start, end: start };
  let depth = OPENING.has(token) ? 1 : 0;
  while (depth > 0) {
    token = scanner.scan();
    if (OPENING.has(token)) depth += 1;
    else if (CLOSING.has(token)) depth -= 1;
    else if (ENDING.has(token)) break;
  }
  return { start, end: scanner.getTokenOffset() + scanner.getTokenLength() };
}
