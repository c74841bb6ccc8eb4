/** Open braces and brackets. */
export interface StructuralDepth {
  readonly brace: number;
  readonly bracket: number;
}

type Phase = 'leading' | 'thinking' | 'inside' | 'closed' | 'after_fence';

const THINK_START = '<think>';
const THINK_END = '</think>';
const FENCE = '```';
const BLANK = /[\s\u200b-\u200d\u2060\ufeff]/;

/**
 * Detects where a streamed answer begins and ends, character by character. It begins with the first brace, or with a
 * bracket preceded only by blanks and the opening line of a fence. Other leading prose, `<think>` blocks and fences are
 * ignored, and so is everything after the fence that contained the answer
 * (docs/reference/streaming-and-repair.md#text-around-the-answer).
 */
export class StructureTracker {
  private phase: Phase = 'leading';
  private brace = 0;
  private bracket = 0;
  private string = false;
  private escaped = false;
  private fenced = false;
  /** The last characters outside the answer, to recognise fences and tags that are split across chunks. */
  private tail = '';
  private onlyBlankBefore = true;

  get depth(): StructuralDepth {
    return { brace: this.brace, bracket: this.bracket };
  }

  get inString(): boolean {
    return this.string;
  }

  /** True once every opened brace and bracket is closed. */
  get isClosed(): boolean {
    return this.phase === 'closed' || this.phase === 'after_fence';
  }

  /** Scans the next chunk. Returns false if it contains text that must not follow a complete answer. */
  read(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (!this.readCharacter(text.charAt(i))) return false;
    }
    return true;
  }

  private readCharacter(char: string): boolean {
    switch (this.phase) {
      case 'leading':
        this.readLeading(char);
        return true;
      case 'thinking':
        if (this.endsWith(char, THINK_END)) this.phase = 'leading';
        return true;
      case 'inside':
        this.readInside(char);
        return true;
      case 'closed':
        return this.readClosed(char);
      case 'after_fence':
        return true;
    }
  }

  private readLeading(char: string): void {
    if (this.endsWith(char, THINK_START)) {
      this.phase = 'thinking';
    } else if (char === '{' || (char === '[' && this.onlyBlankBefore)) {
      this.phase = 'inside';
      this.tail = '';
      this.readInside(char);
    } else if (char === '\n') {
      // The opening line of a fence ("```json") counts as blank as a whole. A line of prose does not reset this flag,
      // so that a bracket after prose never starts the answer.
      this.onlyBlankBefore ||= this.fenced;
    } else if (this.tail.endsWith(FENCE)) {
      this.fenced = true;
    } else if (!BLANK.test(char)) {
      this.onlyBlankBefore = false;
    }
  }

  private readInside(char: string): void {
    if (this.escaped) {
      this.escaped = false;
    } else if (this.string) {
      if (char === '\\') this.escaped = true;
      else if (char === '"') this.string = false;
    } else {
      this.readStructural(char);
    }
  }

  private readStructural(char: string): void {
    if (char === '"') this.string = true;
    else if (char === '{') this.brace += 1;
    else if (char === '[') this.bracket += 1;
    else if (char === '}') this.brace -= 1;
    else if (char === ']') this.bracket -= 1;
    else return;
    if (!this.string && this.brace === 0 && this.bracket === 0) this.phase = 'closed';
  }

  private readClosed(char: string): boolean {
    if (this.fenced && this.endsWith(char, FENCE)) this.phase = 'after_fence';
    return char === '`' || char === '~' || BLANK.test(char);
  }

  private endsWith(char: string, mark: string): boolean {
    this.tail = (this.tail + char).slice(-THINK_END.length);
    return this.tail.endsWith(mark);
  }
}
