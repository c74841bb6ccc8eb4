import type { ExportCommand } from '../arguments/read-arguments.js';
import type { Settings } from '../client/read-settings.js';
import { splitLines } from '../input/read-json.js';
import { openExport } from './open-export.js';
import { renderMarkdown } from './render-markdown.js';
import { writeAtomically } from './write-atomically.js';

export interface ExportSystem {
  /** Writes to the standard output, and waits until that takes more. */
  readonly write: (chunk: Uint8Array | string) => Promise<void>;
  readonly print: (line: string) => void;
}

/** Exports a user to a file or the standard output. Returns the exit code. Throws `Failure`. */
export async function runExport(command: ExportCommand, settings: Settings, system: ExportSystem): Promise<number> {
  const bytes = openExport(command.user, settings);
  const chunks = command.format === 'ndjson' ? bytes : renderMarkdown(parseLines(bytes), command);
  if (command.out === undefined) {
    for await (const chunk of chunks) await system.write(chunk);
  } else {
    await writeAtomically(command.out, chunks);
    system.print(`Written to ${command.out}.`);
  }
  return 0;
}

async function* parseLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator {
  for await (const line of splitLines(bytes)) if (line !== '') yield JSON.parse(line) as unknown;
}
