import { identifySpeakers, isQuotedFrom, type KnownUser, type Sliced, type Speaker } from '@annals/domain';
import { createOwnWordsReader } from '@annals/english';
import type { BatchTurns } from '../prompt/select-excerpt.js';

/** Who speaks in a batch, and what of it they say in person. */
export interface BatchReading {
  /** With the names that stand for the user in this batch, so that a part of its messages is read as all of them. */
  readonly user: KnownUser;
  /** Who said a message of the role `user`. */
  identify(message: { readonly actorId: string | null }): Speaker;
  /** Names that stand for the user in memories. */
  readonly userNames: readonly string[];
  /** Whether the user speaks in the batch or in the messages before it. */
  readonly userSpeaks: boolean;
  /** Of messages of the role `user`, by id: the pieces that their speaker says in person, if that is not all of them. */
  readonly ownWords: ReadonlyMap<string, readonly string[]>;
}

/** Reads the messages of a batch, and those before it, in their order. */
export function* readBatch({ messages, context }: BatchTurns, user: KnownUser): Sliced<BatchReading> {
  const said = [...context, ...messages].filter(({ role }) => role === 'user');
  const identify = identifySpeakers(user, said);
  const speakers = said.map(identify).filter(({ isUser }) => isUser);
  const readOwnWords = createOwnWordsReader();
  const ownWords = new Map<string, readonly string[]>();
  for (const message of said) {
    const { isUser, actorId } = identify(message);
    const parts = yield* readOwnWords({ ...message, speaker: isUser ? null : actorId });
    if (parts.length !== 1 || parts[0]!.length < message.content.length) ownWords.set(message.id, parts);
    yield;
  }
  return {
    user: { ...user, names: user.names.filter((name) => identify({ actorId: name }).isUser) },
    identify,
    userNames: [...new Set([...user.names, ...speakers.flatMap(({ name }) => name ?? [])])],
    userSpeaks: speakers.length > 0,
    ownWords,
  };
}

/** True for a quote that stands in what the speaker of its message says in person. */
export function isOwnWords({ ownWords }: BatchReading, messageId: string, quote: string): boolean {
  const parts = ownWords.get(messageId);
  return parts === undefined || parts.some((part) => part.includes(quote)) || isQuotedFrom(quote, parts);
}
