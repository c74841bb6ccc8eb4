import type { OpenResponse } from '../http/transport.js';

/**
 * The text of a response as it arrives. The deadline counts while the server is waited for, not while the caller works on
 * what has arrived, and a caller that leaves ends the request.
 */
export async function* readChunks({ response, deadline, what }: OpenResponse): AsyncGenerator<string, void, undefined> {
  // Only a response without content has no body, and streams have content.
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      deadline.restart();
      const { done, value } = await reader.read();
      deadline.pause();
      // Some runtimes end a body that is aborted as if it were complete.
      if (done && deadline.signal.aborted) throw new Error('aborted');
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw deadline.explain(error, what);
  } finally {
    deadline.end();
    reader.cancel().catch(() => undefined);
  }
}
