import type { ExtractedItem } from '@annals/contracts';
import { type Attribution, attributeStatement, isPersonName } from '@annals/domain';
import type { BatchMessage } from './ground-answer.js';
import { type BatchReading, isOwnWords } from './read-batch.js';

type Messages = ReadonlyMap<string, BatchMessage>;

/**
 * A grounded memory as one of the person whose words it rests on: corrected, or quarantined when only another
 * participant's words about themselves prove what it says about the user, or only words that nobody said in person
 * (docs/reference/speakers.md#statements-of-others, docs/reference/extraction.md#own-words).
 */
export function attributeMemory(item: ExtractedItem, messages: Messages, reading: BatchReading): ExtractedItem {
  if (item.quarantineReason !== undefined) return item;
  const said = item.evidence.filter(({ message_id }) => messages.get(message_id)?.role === 'user');
  if (said.length > 0 && !said.some(({ message_id, quote }) => isOwnWords(reading, message_id, quote))) {
    return { ...item, quarantineReason: 'not_own_words' };
  }
  const attribution = attributeContent(item.content, item, messages, reading);
  if (attribution.outcome === 'wrong') return { ...item, quarantineReason: 'wrong_speaker' };
  return attribution.outcome === 'corrected' ? { ...item, content: attribution.content } : item;
}

/** Attributes another wording of a memory, such as a model's rewrite of it. */
export function attributeContent(
  content: string,
  { evidence }: Pick<ExtractedItem, 'evidence'>,
  messages: Messages,
  reading: BatchReading,
): Attribution {
  const quotes = evidence.flatMap(({ message_id, quote }) => {
    const message = messages.get(message_id);
    return message?.role === 'user' ? [{ speaker: reading.identify(message), quote }] : [];
  });
  return attributeStatement(content, quotes, reading.userNames);
}

const PROFILE = 'profile';
/** Where statements about other people belong, the nearest first. */
const OF_OTHERS = ['relationships', 'history', 'knowledge', 'interests'];

/**
 * Moves what others say about themselves out of the user's profile (docs/reference/speakers.md#statements-of-others), as
 * far as it is certain that they are not the user. `isConfigured`: whether a category exists.
 */
export function moveOutOfProfile(
  items: readonly ExtractedItem[],
  messages: Messages,
  reading: BatchReading,
  isConfigured: (category: string) => boolean,
): readonly ExtractedItem[] {
  const category = OF_OTHERS.find(isConfigured);
  if (category === undefined) return items;
  const isOther = (messageId: string) => {
    const message = messages.get(messageId);
    if (message?.role !== 'user') return true;
    const { isUser, actorId } = reading.identify(message);
    return !isUser && (reading.userSpeaks || !isPersonName(actorId!));
  };
  return items.map((item) => {
    const isOfOthers = item.evidence.length > 0 && item.evidence.every(({ message_id }) => isOther(message_id));
    return item.category === PROFILE && isOfOthers ? { ...item, category } : item;
  });
}
