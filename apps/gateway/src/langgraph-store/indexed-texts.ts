import type { Sliced } from '@annals/domain';

/** Longer texts are indexed by their beginning: models read no more of one. */
const MAX_TEXT_LENGTH = 8_000;
/**
 * Read behind it and dropped after redaction: what lies across the end of what was read is not recognized, and longer than any
 * personal datum.
 */
const MARGIN_LENGTH = 4_000;
const MAX_READ_LENGTH = MAX_TEXT_LENGTH + MARGIN_LENGTH;
/** Parts of values that are looked at before others have their turn. */
const VISITED_PER_SLICE = 10_000;
/** Of the words of a value: the rest is not searched. */
const MAX_WORDS_LENGTH = 50_000;

/** A text as it is in a value, not redacted. */
export interface RawText {
  readonly text: string;
  /** Whether it is only the beginning: what lies across its end may be half a personal datum. */
  readonly isCut: boolean;
}

/** What is indexed of a text once it is redacted. */
export function limitRedacted(redacted: string, { isCut }: Pick<RawText, 'isCut'>): string {
  const end = isCut ? Math.max(0, redacted.length - MARGIN_LENGTH) : redacted.length;
  return cut(redacted, Math.min(end, MAX_TEXT_LENGTH));
}

/**
 * The texts that paths name in a value (docs/reference/langgraph-store.md#indexed-fields), the first `max` and one more
 * if there are more. Numbers and booleans as text, objects and arrays as JSON; nothing where a path leads nowhere.
 */
export function* listIndexedTexts(value: object, paths: readonly string[], max: number): Sliced<RawText[]> {
  const texts: RawText[] = [];
  let visited = 0;
  for (const steps of new Map(paths.map((path) => [path, parsePath(path)])).values()) {
    for (const found of walk(value, steps)) {
      // What is passed on the way to texts is work as well.
      if (++visited % VISITED_PER_SLICE === 0) yield;
      if (!('found' in found)) continue;
      const text = renderText(found.found);
      if (text === '') continue;
      texts.push({ text: cut(text, MAX_READ_LENGTH), isCut: text.length > MAX_READ_LENGTH });
      yield;
      if (texts.length > max) return texts;
    }
  }
  return texts;
}

type Step = { readonly name: string } | { readonly index: number } | { readonly every: true };

const STEP = /\[(\*|-?\d{1,9})\]|([^.[]+)/gy;

/** `chapters[*].content` is the name, every element, the name. A text that is no path is a name itself. */
function parsePath(path: string): readonly Step[] {
  if (path === '$') return [];
  const steps: Step[] = [];
  for (let at = 0; at < path.length;) {
    if (path[at] === '.') {
      at += 1;
      continue;
    }
    STEP.lastIndex = at;
    const [whole, index, name] = STEP.exec(path) ?? [];
    if (whole === undefined) return [{ name: path }];
    at += whole.length;
    if (name !== undefined) steps.push(name === '*' ? { every: true } : { name });
    else steps.push(index === '*' ? { every: true } : { index: Number(index) });
  }
  return steps;
}

/** What the steps lead to as `found`, and an empty object for each part that is passed on the way. */
function* walk(value: unknown, steps: readonly Step[]): Generator<{ readonly found?: unknown }> {
  const waiting: { readonly iterator: Iterator<unknown>; readonly place: number }[] = [
    { iterator: [value].values(), place: 0 },
  ];
  for (let top = waiting.at(-1); top; top = waiting.at(-1)) {
    const { value: part, done } = top.iterator.next();
    if (done) {
      waiting.pop();
      continue;
    }
    const step = steps[top.place];
    if (step === undefined) yield { found: part };
    else {
      yield {};
      const parts = listParts(part, step);
      if (parts.length > 0) waiting.push({ iterator: parts.values(), place: top.place + 1 });
    }
  }
}

function listParts(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('every' in step) return Object.values(value);
  if ('index' in step) return Array.isArray(value) ? [value.at(step.index)] : [];
  return Object.hasOwn(value, step.name) ? [(value as Record<string, unknown>)[step.name]] : [];
}

function renderText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : renderStart(value);
}

/** Without a half of a pair at the end. A copy, since a part would keep all of a long text in memory. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length > 0 && text.codePointAt(length - 1)! > 0xffff ? length - 1 : length;
  return Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le');
}

/** The beginning of a value as indented JSON: `JSON.stringify` would write all of it, and far more than it has read. */
function renderStart(value: unknown): string {
  let text = '';
  const write = (part: unknown, indent: string): void => {
    if (typeof part !== 'object' || part === null) {
      text += JSON.stringify(typeof part === 'string' ? part.slice(0, MAX_READ_LENGTH + 1).toWellFormed() : part);
      return;
    }
    const isList = Array.isArray(part);
    const entries = isList ? part.entries() : Object.entries(part).values();
    const inner = `${indent}  `;
    let isEmpty = true;
    for (const [name, held] of entries) {
      if (text.length > MAX_READ_LENGTH) return;
      text += `${isEmpty ? (isList ? '[' : '{') : ','}\n${inner}${isList ? '' : `${JSON.stringify(name)}: `}`;
      isEmpty = false;
      write(held, inner);
    }
    if (isEmpty) text += isList ? '[]' : '{}';
    else text += `\n${indent}${isList ? ']' : '}'}`;
  };
  write(value, '');
  return text;
}

/** The texts and numbers of a value, without the names of its fields, for search by words. */
export function listWords(value: object): string {
  const words: string[] = [];
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length < MAX_WORDS_LENGTH) {
    const part = waiting.pop();
    if (typeof part === 'object' && part !== null) {
      for (const inner of Object.values(part).toReversed()) waiting.push(inner);
    } else if (part !== null && part !== undefined) {
      const text = typeof part === 'string' ? part : JSON.stringify(part);
      words.push(text);
      length += text.length + 1;
    }
  }
  // Without a half of a pair at the end.
  return words.join('\n').slice(0, MAX_WORDS_LENGTH).toWellFormed();
}

/** As many bytes as the value has in `jsonb`, whose numbers have no exponents, without the spaces between. */
export function measureStored(value: object, json: string): number {
  let bytes = Buffer.byteLength(json);
  const waiting: unknown[] = [value];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part === 'number') {
      const [, exponent] = String(part).split('e');
      if (exponent !== undefined) bytes += Math.abs(Number(exponent));
    } else if (typeof part === 'object' && part !== null) {
      for (const inner of Object.values(part)) if (inner !== null) waiting.push(inner);
    }
  }
  return bytes;
}
