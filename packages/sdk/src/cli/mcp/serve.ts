import { createInterface } from 'node:readline';
import type { Settings } from '../../http/options.js';
import { Bridge } from './bridge.js';

/** Serves the client that has started the program, until it closes the standard input. */
export async function serve(settings: Settings, { stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>) {
  const bridge = new Bridge(settings, (message) => stdout.write(`${JSON.stringify(message)}\n`));
  const lines = createInterface({ input: stdin });
  // A client that reads no longer is gone.
  stdout.on('error', () => lines.close());
  for await (const line of lines) {
    // Not awaited: a client sends further requests before the first one is answered.
    if (line.trim() !== '') void bridge.handle(line);
  }
  bridge.end();
}
