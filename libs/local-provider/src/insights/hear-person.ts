import { createOwnWordsReader, renderDay, splitSentences } from '@annals/english';
import type { ConversationMessage, Speaker } from '@annals/llm-core';
import { MAX_SENTENCE_LENGTH } from '../sentences/skip-sentence.js';
import { expandContractions, trimSentence } from '../sentences/trim-sentence.js';

/** What the person says in one message, in person. */
export interface HeardWords {
  readonly messageId: string;
  /** Epoch ms. */
  readonly saidAt: number;
  /** "8 May 2023", in UTC. */
  readonly day: string;
  /** Without what others are quoted with, code, links and emoji. */
  readonly sentences: readonly string[];
}

/** Earlier messages are not read. */
const MAX_MESSAGES = 400;
/** In UTF-16 units; what is longer was pasted. */
const MAX_MESSAGE_LENGTH = 2_000;

/** The person's own words, in order of time; yields between messages. `identify`: who speaks in a message of a user. */
export function* hearPerson(
  messages: readonly ConversationMessage[],
  identify: (message: ConversationMessage) => Speaker,
): Generator<void, HeardWords[]> {
  const readOwnWords = createOwnWordsReader();
  const heard: HeardWords[] = [];
  const latest = messages
    .filter(({ role, content }) => role === 'user' && content.length <= MAX_MESSAGE_LENGTH)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .slice(-MAX_MESSAGES);
  for (const message of latest) {
    yield;
    const { id, content, createdAt } = message;
    const { isUser, actorId } = identify(message);
    const parts = yield* readOwnWords({ content, saidAt: createdAt, speaker: isUser ? null : actorId });
    const sentences = parts
      .flatMap((part) => splitSentences(part))
      .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH && LETTER.test(sentence))
      .map(tidy);
    if (isUser && sentences.length > 0)
      heard.push({ messageId: id, saidAt: createdAt, day: renderDay(createdAt), sentences });
  }
  return heard;
}

const LETTER = /\p{L}/u;
const LAST_MARK = /[.!?…]$/u;

/** The final mark stays: it has a mood too. */
function tidy(sentence: string): string {
  return `${trimSentence(expandContractions(sentence))}${LAST_MARK.exec(sentence)?.[0] ?? ''}`;
}
