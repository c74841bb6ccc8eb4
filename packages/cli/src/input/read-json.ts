import { Readable } from 'node:stream';
import { parser } from 'stream-json';
import { pick } from 'stream-json/filters/pick.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import chain from 'stream-chain';
import { Failure } from '../failure.js';
import type { Input, OnBytes } from './input.js';

/** The shape of a JSON text: a list, an object, or an object in each line. */
export type Shape = 'list' | 'object' | 'lines';

const WHITE_SPACE = /^\s*$/;
const PROBE_BYTES = 65_536;

/** How the file begins, without reading all of it. */
export async function probe(input: Input): Promise<{ readonly shape: Shape; readonly beginning: string }> {
  let beginning = '';
  for await (const bytes of input.parts()) {
    for await (const chunk of bytes) {
      beginning += chunk.toString('utf8');
      if (beginning.length >= PROBE_BYTES) break;
    }
    break;
  }
  const text = beginning.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('[')) return { shape: 'list', beginning: text };
  if (!text.startsWith('{')) throw new Failure('The file is no JSON: give an export as it was downloaded.');
  const [line = ''] = text.split('\n', 1);
  return { shape: isJson(line) && !isWholeText(text, line) ? 'lines' : 'object', beginning: text };
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

export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
