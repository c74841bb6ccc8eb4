import { ConnectionError } from '../errors/annals-error.js';
import type { OpenResponse } from '../http/transport.js';
import { readChunks } from './read-chunks.js';

/** The lines of an NDJSON response. Throws a `ConnectionError` at its end unless the last line is of kind `end`. */
export async function* readLines<Line>(opened: OpenResponse): AsyncGenerator<Line, void, undefined> {
  let rest = '';
  let isComplete = false;
  for await (const chunk of readChunks(opened)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const parsed = JSON.parse(line) as Awaited<Line>;
      isComplete = (parsed as { readonly kind?: unknown }).kind === 'end';
      yield parsed;
    }
  }
  if (!isComplete) throw new ConnectionError(`${opened.what}: the response was cut off. Send the request again.`);
}
