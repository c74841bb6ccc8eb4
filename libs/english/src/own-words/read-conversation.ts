import { readOwnWordsInSteps } from './read-own-words.js';

/** A role play ends after a pause this long. */
const MAX_PAUSE_MS = 3_600_000;

/** A message of a conversation; `saidAt` in epoch ms. */
export interface SaidMessage {
  readonly content: string;
  readonly saidAt: number;
  /** The same for all messages of one person; null: nobody in particular. */
  readonly speaker: string | null;
}

/**
 * Reads the messages of one conversation in their order: of each, the pieces that its speaker says in person
 * (`readOwnWords`). A role play goes on in its speaker's messages after it, until they end it or an hour passes without
 * one. Yields within long messages.
 */
export function createOwnWordsReader(): (message: SaidMessage) => Generator<void, readonly string[]> {
  const lastPlayed = new Map<string | null, number>();
  return function* readMessage({ content, saidAt, speaker }) {
    const lastSaidAt = lastPlayed.get(speaker) ?? -Infinity;
    const read = yield* readOwnWordsInSteps(content, { inRolePlay: saidAt - lastSaidAt <= MAX_PAUSE_MS });
    if (read.inRolePlay) lastPlayed.set(speaker, saidAt);
    else lastPlayed.delete(speaker);
    return read.parts;
  };
}
