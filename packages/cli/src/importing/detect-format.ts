import type { ImportFormat } from '../arguments/read-arguments.js';
import { Failure } from '../failure.js';
import type { Shape } from '../input/read-json.js';

export type KnownFormat = Exclude<ImportFormat, 'auto'>;

const SIGNS: readonly (readonly [KnownFormat, RegExp])[] = [
  ['openai', /"mapping"\s*:/],
  ['claude', /"chat_messages"\s*:/],
  ['mem0', /"(?:memory|memory_id|old_memory)"\s*:/],
];

/** The format that a file has by its beginning, unless one is named. */
export function detectFormat(named: ImportFormat, shape: Shape, beginning: string): KnownFormat {
  const found = named === 'auto' ? findFormat(shape, beginning) : named;
  if (found === undefined) {
    throw new Failure(
      'The format of the file is not recognised: name it with --format annals, mem0, openai or claude.',
    );
  }
  if (found === 'annals' && shape !== 'lines') {
    throw new Failure('An export of Annals has a line for each record: export it again with annals export.');
  }
  if ((found === 'openai' || found === 'claude') && shape !== 'list') {
    throw new Failure(`The conversations of ${found} are a list: give the archive, or its conversations.json.`);
  }
  return found;
}

function findFormat(shape: Shape, beginning: string): KnownFormat | undefined {
  if (shape === 'lines') return /^\{"kind"\s*:\s*"manifest"/.test(beginning) ? 'annals' : undefined;
  return SIGNS.map(([format, sign]) => ({ format, at: beginning.search(sign) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0]?.format;
}
