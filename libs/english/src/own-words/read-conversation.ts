import { readOwnWords } from './read-own-words.js';

/** A role play ends after a pause this long. */
const MAX_PAUSE_MS = 3_600_000;

/** A message of a conversation; `saidAt` in epoch ms. */
export interface SaidMessage {
  readonly content: string;
  readonly saidAt: number;
}

/**
 * Reads the messages of one conversation in their order: of each, the pieces that its speaker says in person
 * (`readOwnWords`). A role play goes on in the messages after it, until somebody ends it or an hour passes.
 */
export function createOwnWordsReader(): (message: SaidMessage) => readonly string[] {
  let inRolePlay = false;
  let lastSaidAt = -Infinity;
  return ({ content, saidAt }) => {
    const read = readOwnWords(content, { inRolePlay: inRolePlay && saidAt - lastSaidAt <= MAX_PAUSE_MS });
    inRolePlay = read.inRolePlay;
    lastSaidAt = saidAt;
    return read.parts;
  };
}
