import { identifySpeakers, isQuoteGrounded, type KnownUser, type Speaker } from '@annals/domain';
import { createOwnWordsReader } from '@annals/english';
import type { BatchTurns } from '../prompt/select-excerpt.js';

/** Who speaks in a batch, and what of it they say in person. */
export interface BatchReading {
  readonly user: KnownUser;
  /** Who said a message of the role `user`. */
  identify(message: { readonly actorId: string | null }): Speaker;
  /** Names that stand for the user in memories. */
  readonly userNames: readonly string[];
  /** Whether the user speaks in the batch or in the messages before it. */
  readonly userSpeaks: boolean;
  /** Of each message of the role `user`, by its id: the pieces that its speaker says in person. */
  readonly ownWords: ReadonlyMap<string, readonly string[]>;
}

/** Reads the messages of a batch, and those before it, in their order (docs/reference/speakers.md). */
export function readBatch({ messages, context }: BatchTurns, user: KnownUser): BatchReading {
  const said = [...context, ...messages].filter(({ role }) => role === 'user');
  const identify = identifySpeakers(user, said);
  const speakers = said.map(identify).filter(({ isUser }) => isUser);
  const readOwnWords = createOwnWordsReader();
  return {
    user,
    identify,
    userNames: [...new Set([...user.names, ...speakers.flatMap(({ name }) => name ?? [])])],
    userSpeaks: speakers.length > 0,
    ownWords: new Map(said.map((message) => [message.id, readOwnWords(message)])),
  };
}

/** True for a quote that stands in what the speaker of its message says in person. */
export function isOwnWords({ ownWords }: BatchReading, messageId: string, quote: string): boolean {
  return ownWords.get(messageId)?.some((part) => isQuoteGrounded(quote, part)) ?? false;
}
