import { Readable } from 'node:stream';
import { parser } from 'stream-json';
import { pick } from 'stream-json/filters/pick.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import chain from 'stream-chain';
import { Failure } from '../failure.js';
import type { Bytes, Input, OnBytes } from './input.js';

/** The shape of a JSON text: a list, an object, or an object in each line. */
export type Shape = 'list' | 'object' | 'lines';

const WHITE_SPACE = /^\s*$/;
/** In UTF-16 units: many times what a record may have. */
const MAX_LINE_LENGTH = 67_108_864;
const EMPTY_LIST = /^\[\s*\]\s*$/;
const PROBE_BYTES = 65_536;

/** What is known of a text from its beginning. */
interface Probe {
  readonly shape: Shape;
  readonly beginning: string;
  /** Whether it is known to have no items. */
  readonly isEmpty: boolean;
}

/** How the file begins, without reading all of it: its first part that has items, or the first one. */
export async function probe(input: Input): Promise<Probe> {
  let first: Probe | null = null;
  for await (const bytes of input.parts()) {
    const found = recognise(await readBeginning(bytes));
    if (!found.isEmpty) return found;
    first ??= found;
  }
  return first ?? recognise('');
}

async function readBeginning(bytes: Bytes): Promise<string> {
  const decoder = new TextDecoder();
  let beginning = '';
  for await (const chunk of bytes) {
    beginning += decoder.decode(chunk, { stream: true });
    if (beginning.length >= PROBE_BYTES) break;
  }
  return beginning;
}

function recognise(beginning: string): Probe {
  const text = beginning.trimStart();
  if (text.startsWith('[')) return { shape: 'list', beginning: text, isEmpty: EMPTY_LIST.test(text) };
  if (!text.startsWith('{')) throw new Failure('The file is no JSON: give an export as it was downloaded.');
  const [line = ''] = text.split('\n', 1);
  const shape = isJson(line) && !isWholeText(text, line) ? 'lines' : 'object';
  return { shape, beginning: text, isEmpty: false };
}

function isWholeText(text: string, line: string): boolean {
  return WHITE_SPACE.test(text.slice(line.length));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The items of a list: of the text itself, or under a name of the object that it is; none when there is no such name.
 * One item is in memory at a time.
 */
export async function* readItems(input: Input, name: string | null, onBytes?: OnBytes): AsyncGenerator {
  for await (const bytes of input.parts(onBytes)) {
    const source = Readable.from(bytes, { objectMode: false });
    const stages = name === null ? [parser(), streamArray()] : [parser(), pick({ filter: name }), streamArray()];
    const items = chain([source, ...stages] as Parameters<typeof chain>[0]);
    try {
      for await (const { value } of items as AsyncIterable<{ value: unknown }>) yield value;
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(`The file is no complete JSON (${(error as Error).message}): download the export again.`);
    }
  }
}

/** Values of lines; a line that is no JSON is one that was cut off. */
export async function* readLines(input: Input, onBytes?: OnBytes): AsyncGenerator {
  let number = 0;
  for await (const bytes of input.parts(onBytes)) {
    for await (const line of splitLines(bytes)) {
      number += 1;
      if (WHITE_SPACE.test(line)) continue;
      yield parseLine(line, number);
    }
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new Failure(`Line ${number} is no JSON: the file was cut off or changed. Export it again.`);
  }
}

/** Lines as they come; throws `Failure` for one that no export of Annals has. */
export async function* splitLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLength: number = MAX_LINE_LENGTH,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Joined at the end of the line: to add to a text again and again takes the square of its length.
  let begun: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    length += piece.length;
    if (length > maxLength) {
      throw new Failure('A line is longer than any of an export of Annals: the file was changed. Export it again.');
    }
    begun.push(piece);
  };
  const end = () => {
    const line = begun.join('');
    begun = [];
    length = 0;
    return line;
  };
  for await (const chunk of bytes) {
    for (const [index, piece] of decoder.decode(chunk, { stream: true }).split('\n').entries()) {
      if (index > 0) yield end();
      add(piece);
    }
  }
  add(decoder.decode());
  const rest = end();
  if (rest !== '') yield rest;
}
