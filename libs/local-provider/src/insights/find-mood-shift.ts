import { detectMoodDeltas, type MoodScorer } from '@annals/llm-core';
import type { HeardWords } from './hear-person.js';

/** Messages with a mood on each side of a shift. */
const SIDE = 2;
/** −1 to 1: weaker words carry no mood worth telling. */
const NOTABLE_MOOD = 0.2;
/** Half of the distance between both sides. */
const NOTABLE_SHIFT = 0.3;

/** A change of mood between earlier and the latest messages. */
export interface MoodShift {
  readonly direction: 'rise' | 'fall';
  /** Two messages before it, then two after it. */
  readonly messages: readonly HeardWords[];
  /** The first day of the new mood, epoch ms. */
  readonly since: number;
}

/** The mood of each message of the person, −1 to 1; yields between messages. */
export function* scoreMoods(heard: readonly HeardWords[], scoreMood: MoodScorer): Generator<void, number[]> {
  const moods: number[] = [];
  for (const { sentences } of heard) {
    yield;
    moods.push(scoreMood(sentences.join(' ')));
  }
  return moods;
}

/**
 * Whether the latest two messages with a mood are on the other side than the two before them, on other days
 * (docs/reference/insights.md#insights-without-a-model); null when the mood has not moved.
 */
export function findMoodShift(heard: readonly HeardWords[], moods: readonly number[]): MoodShift | null {
  const felt = heard.flatMap((words, at) =>
    Math.abs(moods[at]!) >= NOTABLE_MOOD ? [{ words, mood: moods[at]! }] : [],
  );
  const [before, after] = [felt.slice(-2 * SIDE, -SIDE), felt.slice(-SIDE)];
  if (before.length < SIDE || before.at(-1)!.words.day === after[0]!.words.day) return null;
  const isTurn = before.every((earlier) => after.every((later) => earlier.mood * later.mood < 0));
  if (!isTurn) return null;
  const messages = [
    { id: 'before', role: 'user' as const, actorId: null },
    { id: 'after', role: 'user' as const, actorId: null },
  ];
  const delta = detectMoodDeltas(
    messages,
    new Map([
      ['before', average(before)],
      ['after', average(after)],
    ]),
  ).get('after')!;
  if (delta.direction === 'none' || delta.magnitude < NOTABLE_SHIFT) return null;
  return {
    direction: delta.direction,
    messages: [...before, ...after].map(({ words }) => words),
    since: after[0]!.words.saidAt,
  };
}

function average(felt: readonly { readonly mood: number }[]): number {
  return felt.reduce((sum, { mood }) => sum + mood, 0) / felt.length;
}
