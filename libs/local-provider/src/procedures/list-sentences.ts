import { splitSentences } from '@annals/english';

/** What is read of one message: units are UTF-16. Longer ones are read at both ends. */
const MAX_UNITS = 8_192;
const MAX_SENTENCES = 200;

/** The sentences of what somebody says themselves; of a long text, the first and the last ones. */
export function listSentences(parts: readonly string[]): string[] {
  const sentences = splitSentences(shortenText(parts.join('\n'), MAX_UNITS));
  if (sentences.length <= MAX_SENTENCES) return sentences;
  return [...sentences.slice(0, MAX_SENTENCES / 2), ...sentences.slice(-MAX_SENTENCES / 2)];
}

/** The first and the last half of a text that is longer than `maxUnits`. */
export function shortenText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const half = maxUnits / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed();
}
