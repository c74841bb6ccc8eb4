import { renderDay, renderMonth } from '@annals/english';
import { type ConversationMessage, identifySpeakers, type KnownUser, type MoodScorer } from '@annals/llm-core';
import { findMoodShift, type MoodShift, scoreMoods } from './find-mood-shift.js';
import { findRecurrences, type Recurrence } from './find-recurrences.js';
import { type HeardWords, hearPerson } from './hear-person.js';

/** An insight by rules; its evidence are ids of messages. */
export interface LocalInsight {
  readonly summary: string;
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly messageIds: readonly string[];
}

const MAX_INSIGHTS = 3;
const MAX_EVIDENCE = 20;
/** −1 to 1; from here on, a message has a mood. */
const CLEAR_MOOD = 0.2;
/** Share of the messages with the same mood, from which it is told. */
const MOST = 0.75;

/**
 * Insights without a model (docs/reference/insights.md#insights-without-a-model): how the mood moved, then what came back
 * again and again; at most three, the same for the same messages in any order. `messages`: of all conversations. Yields
 * between messages.
 */
export function* findLocalInsights(
  messages: readonly ConversationMessage[],
  { user, scoreMood }: { readonly user: KnownUser; readonly scoreMood: MoodScorer },
): Generator<void, LocalInsight[]> {
  const heard = yield* hearPerson(messages, identifySpeakers(user, messages));
  const listeners = [...new Set(messages.flatMap(({ actorId }) => actorId ?? []))];
  const moods = yield* scoreMoods(heard, scoreMood);
  const shift = findMoodShift(heard, moods);
  const moodOf = new Map(heard.map((words, at) => [words, moods[at]!]));
  const recurring = (yield* findRecurrences(heard, listeners)).map((recurrence) =>
    describeRecurrence(recurrence, moodOf),
  );
  return [...(shift ? [describeShift(shift)] : []), ...recurring].slice(0, MAX_INSIGHTS);
}

function describeShift({ direction, messages, since }: MoodShift): LocalInsight {
  const [mood, tag] = direction === 'rise' ? ['better', 'mood rising'] : ['worse', 'mood falling'];
  return {
    summary: `Sounds ${mood} from ${renderDay(since)} on than before.`,
    tags: ['mood', tag],
    confidence: 0.6,
    messageIds: messages.map(({ messageId }) => messageId),
  };
}

/** Days and months are those of the messages that are cited. */
function describeRecurrence({ phrase, messages }: Recurrence, moodOf: ReadonlyMap<HeardWords, number>): LocalInsight {
  const cited = messages.slice(-MAX_EVIDENCE);
  const days = new Set(cited.map(({ day }) => day)).size;
  const confidence = Math.min(0.9, 0.4 + 0.05 * (cited.length + days));
  return {
    summary: `Mentions ${phrase} again and again, on ${days} days ${describePeriod(cited)}${describeMood(cited, moodOf)}.`,
    tags: [phrase.toLowerCase().split(' ').at(-1)!, 'recurring'],
    confidence: Math.round(confidence * 100) / 100,
    messageIds: cited.map(({ messageId }) => messageId),
  };
}

function describePeriod(messages: readonly HeardWords[]): string {
  const [first, last] = [renderMonth(messages[0]!.saidAt), renderMonth(messages.at(-1)!.saidAt)];
  return first === last ? `in ${first}` : `from ${first} to ${last}`;
}

function describeMood(messages: readonly HeardWords[], moodOf: ReadonlyMap<HeardWords, number>): string {
  const moods = messages.map((words) => moodOf.get(words) ?? 0);
  const share = (of: (mood: number) => boolean) => moods.filter(of).length / moods.length;
  if (share((mood) => mood <= -CLEAR_MOOD) >= MOST) return ', mostly in a bad mood';
  return share((mood) => mood >= CLEAR_MOOD) >= MOST ? ', mostly in a good mood' : '';
}
