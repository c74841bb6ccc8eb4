import type { TextChange } from './diff-text.js';
import type { JsonNode, StringNode } from './json-tree.js';

const QUOTE_MARK = /["'`\u00b4\u2018-\u201f]|&(?:quot|apos|#3[49]);/;
const QUOTE_MARKS = /["'`\u00b4\u2018-\u201f]/g;
// What can be recognised without quotes: category names, dates, message ids.
const PLAIN_WORD = /^[\w.:+-]+$/;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Verifies which parts of a repaired text occur in its source. `changes` is the difference between both. In doubt, a
 * value is not verified: a repair that had to decide where a value ends may have truncated it.
 */
export class RepairVerifier {
  private readonly decoded: string;
  private readonly decodedWithPlainQuotes: string;

  constructor(
    private readonly source: string,
    private readonly repaired: string,
    private readonly changes: readonly TextChange[],
  ) {
    this.decoded = decodeEscapes(source);
    this.decodedWithPlainQuotes = this.decoded.replace(QUOTE_MARKS, '"');
  }

  /** Whether the repair changed something between the node's first and last character. */
  isModified({ start, end }: JsonNode): boolean {
    return this.changes.some(({ afterStart, afterEnd }) =>
      afterStart === afterEnd ? afterStart > start && afterStart < end : afterStart < end && afterEnd > start,
    );
  }

  /** Whether the value occurs in the source exactly as here: complete, and not composed of parts. */
  isVerbatim(node: JsonNode): boolean {
    switch (node.kind) {
      case 'string':
        return !this.isModified(node) || this.isStringVerbatim(node);
      case 'number':
        return !this.isModified(node);
      case 'object':
      case 'array':
        return this.findInsertion(node.end - 1) === undefined;
      case 'literal':
        return true;
    }
  }

  /** Whether the value occurs in the source, complete or not: nothing was invented. */
  occursInSource(node: JsonNode): boolean {
    if (node.kind === 'string') return !this.isModified(node) || this.decoded.includes(node.value);
    return node.kind !== 'number' || !this.isModified(node);
  }

  /** Whether the string was unquoted in the source. */
  isUnquoted(node: StringNode): boolean {
    return this.isQuoteInserted(node.start) && this.isQuoteInserted(node.end - 1);
  }

  private isStringVerbatim(node: StringNode): boolean {
    if (this.isUnquoted(node)) return PLAIN_WORD.test(node.value) && this.decoded.includes(node.value);
    if (this.isQuoteInserted(node.start) || this.isQuoteInserted(node.end - 1)) return false;
    // Quotes inside a string come in pairs. An odd one was its end, or the string continues after what was taken for
    // its end.
    if (this.countEscapedQuotes(node) % 2 === 1) return false;
    return this.decodedWithPlainQuotes.includes(`"${node.value.replace(QUOTE_MARKS, '"')}"`);
  }

  // A quote that replaced another kind of quote is not an insertion.
  private isQuoteInserted(position: number): boolean {
    const change = this.findInsertion(position);
    return change !== undefined && !QUOTE_MARK.test(this.source.slice(change.beforeStart, change.beforeEnd));
  }

  private countEscapedQuotes({ start, end }: StringNode): number {
    let count = 0;
    for (let at = start + 1; at < end - 2; at += 1) {
      if (this.repaired[at] === '\\' && this.repaired[at + 1] === '"' && this.findInsertion(at)) count += 1;
      if (this.repaired[at] === '\\') at += 1;
    }
    return count;
  }

  private findInsertion(position: number): TextChange | undefined {
    return this.changes.find(({ afterStart, afterEnd }) => afterStart <= position && position < afterEnd);
  }
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? (SHORT_ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
