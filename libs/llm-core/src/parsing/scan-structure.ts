/** Result of scanning the brackets and double-quoted strings of almost-JSON. */
export interface Structure {
  /** Index after the bracket that closes the first one; null if it is never closed, or closed by the wrong one. */
  readonly end: number | null;
  /**
   * The document up to its last complete memory, with its brackets closed; null if no memory is complete and the list
   * is open.
   */
  readonly completePart: CompletePart | null;
}

export interface CompletePart {
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
export function scanStructure(text: string, start: number): Structure {
  return new StructureScanner(text, start).scan();
}

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
