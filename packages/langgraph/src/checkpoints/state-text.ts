import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import type { TypedText } from './typed-text.js';

/** A checkpoint as it is stored: without values, and the values beside it as their serializer wrote them. */
export interface StoredState {
  readonly checkpoint: Omit<Checkpoint, 'channel_values'>;
  readonly metadata: TypedText;
  readonly channels: ReadonlyMap<string, TypedText>;
}

interface Header {
  readonly format: number;
  readonly checkpoint: StoredState['checkpoint'];
  readonly metadata: readonly [type: string, length: number];
  readonly channels: readonly (readonly [name: string, type: string, length: number])[];
}

const FORMAT = 1;

/**
 * A line of JSON with the checkpoint and the types and lengths (in UTF-16 units) of what follows it: the metadata and the
 * values of channels, one behind the other. So values are neither escaped nor parsed to be stored, and a value that has
 * grown leaves the bytes before its new part as they were.
 */
export function encodeState({ checkpoint, metadata, channels }: StoredState): string {
  const header: Header = {
    format: FORMAT,
    checkpoint,
    metadata: [metadata.type, metadata.text.length],
    channels: Array.from(channels, ([name, { type, text }]) => [name, type, text.length]),
  };
  const values = Array.from(channels.values(), ({ text }) => text);
  return `${JSON.stringify(header)}\n${metadata.text}${values.join('')}`;
}

/** Throws for a text of a later format, or of another program. */
export function decodeState(text: string): StoredState {
  const end = text.indexOf('\n');
  const header = end < 0 ? null : parseHeader(text.slice(0, end));
  if (!header) throw new Error('The checkpoint was not stored by @annals/langgraph: read it with what has stored it.');
  if (header.format !== FORMAT) {
    throw new Error(
      `The checkpoint was stored in format ${header.format}, and this release of @annals/langgraph reads ${FORMAT}: update it.`,
    );
  }
  let at = end + 1;
  const take = (length: number) => text.slice(at, (at += length));
  const [metadataType, metadataLength] = header.metadata;
  const metadata = { type: metadataType, text: take(metadataLength) };
  const channels = new Map(header.channels.map(([name, type, length]) => [name, { type, text: take(length) }]));
  return { checkpoint: header.checkpoint, metadata, channels };
}

function parseHeader(line: string): Header | null {
  try {
    return JSON.parse(line) as Header | null;
  } catch {
    return null;
  }
}
