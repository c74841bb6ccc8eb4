/** A part of an answer that may be its JSON document. */
export interface DocumentText {
  readonly text: string;
  /** True if its brackets are not balanced: it was truncated, or a string in it is broken. */
  readonly isOpen: boolean;
  readonly completePart: CompletePart | null;
}

/** Unclosed documents that are tried: each is scanned to the end of the text, a closed one only to its own. */
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
    const { end, completePart } = new StructureScanner(text, start).scan();
    const document = text.slice(start, end ?? text.length);
    yield { text: document, isOpen: end === null, completePart };
    if (end === null && BEGINS_LIKE_JSON.test(document)) return;
    if (end === null) openDocuments += 1;
    start = findBracket(text, end ?? start + 1);
  }
}

/** Truncates the text after its last closing bracket, without what follows; null if nothing follows. */
export function cutBehindLastBracket(text: string): string | null {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  return end > 0 && end < text.length ? text.slice(0, end) : null;
}

function findBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '{' || text[at] === '[') return at;
  return -1;
}

/** Result of scanning the brackets and double-quoted strings of almost-JSON. */
interface Structure {
  /** Index after the bracket that closes the first one; null if it is never closed, or closed by the wrong one. */
  readonly end: number | null;
  /** Up to the last complete memory, with brackets closed; null if none is complete and the list is open. */
  readonly completePart: CompletePart | null;
}

interface CompletePart {
  readonly text: string;
  /** 1 if something with brackets follows, such as an incomplete memory; otherwise 0. */
  readonly lost: 0 | 1;
}

const LIST_KEY = /["'`\u2018-\u201f]?memories["'`\u2018-\u201f]?\s*:\s*$/;
const MAX_LIST_KEY_LENGTH = 40;
const CLOSER_OF: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Follows the brackets from the one at `start` in one pass, without parsing values. The list of memories is the first
 * bracket itself, or the member `memories` of the first brace (complete memories are used:
 * docs/reference/streaming-and-repair.md#truncated-answers-keep-complete-memories).
 */
class StructureScanner {
  private readonly open: string[] = [];
  /** Nesting depth of the list of memories, the list itself included; 0 before it. */
  private listDepth = 0;
  private listEnd: number | null = null;
  private elementEnd: number | null = null;

  constructor(
    private readonly text: string,
    private readonly start: number,
  ) {}

  scan(): Structure {
    for (let at = this.start; at < this.text.length; at += 1) {
      const char = this.text.charAt(at);
      if (char === '"') at = this.findStringEnd(at);
      else if (char === '{' || char === '[') this.enter(char, at);
      else if ((char === '}' || char === ']') && !this.leave(char, at)) break;
      else if (this.open.length === 0) return { end: at + 1, completePart: this.takeCompletePart() };
    }
    return { end: null, completePart: this.takeCompletePart() };
  }

  private findStringEnd(at: number): number {
    let next = at + 1;
    while (next < this.text.length && this.text.charAt(next) !== '"') next += this.text.charAt(next) === '\\' ? 2 : 1;
    return next;
  }

  private enter(char: string, at: number): void {
    this.open.push(char);
    if (char !== '[' || this.listDepth > 0) return;
    const isList = this.open.length === 1 || (this.open.length === 2 && this.isListKeyBefore(at));
    if (isList) this.listDepth = this.open.length;
  }

  private isListKeyBefore(at: number): boolean {
    return LIST_KEY.test(this.text.slice(Math.max(this.start, at - MAX_LIST_KEY_LENGTH), at));
  }

  /** False if the bracket does not match the one opened last. */
  private leave(char: string, at: number): boolean {
    if (CLOSER_OF[this.open.pop() ?? ''] !== char) return false;
    if (this.listDepth === 0 || this.listEnd !== null) return true;
    if (this.open.length === this.listDepth) this.elementEnd = at + 1;
    if (this.open.length === this.listDepth - 1) this.listEnd = at + 1;
    return true;
  }

  private takeCompletePart(): CompletePart | null {
    const around = this.listDepth === 2 ? '}' : '';
    const end = this.listEnd ?? this.elementEnd;
    if (end === null) return null;
    const closers = (this.listEnd === null ? ']' : '') + around;
    return { text: this.text.slice(this.start, end) + closers, lost: /[{[]/.test(this.text.slice(end)) ? 1 : 0 };
  }
}
