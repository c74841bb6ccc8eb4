import type { OpenResponse } from '../http/transport.js';
import { EventParser, type RawEvent } from './event-parser.js';
import { readChunks } from './read-chunks.js';

/** The server-sent events of a response as they arrive. */
export async function* readEvents(opened: OpenResponse): AsyncGenerator<RawEvent, void, undefined> {
  const parser = new EventParser();
  for await (const chunk of readChunks(opened)) yield* parser.push(chunk);
}
