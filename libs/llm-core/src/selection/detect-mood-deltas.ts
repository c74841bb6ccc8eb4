import type { ConversationMessage } from '../provider/llm-request.js';

export type MoodDirection = 'rise' | 'fall' | 'none';

/** Change of an actor's mood since the previous message of the same actor: `magnitude` 0 to 1. */
export interface MoodDelta {
  readonly magnitude: number;
  readonly direction: MoodDirection;
}

const NO_CHANGE: MoodDelta = { magnitude: 0, direction: 'none' };

/**
 * Computes the mood delta of each message, by message id. `messages` are in the order of the conversation, `moods` −1
 * to 1 by message id; magnitude is |mood − previous mood| / 2. The first message of an actor has no delta, so earlier
 * messages of the conversation should be included.
 */
export function detectMoodDeltas(
  messages: readonly Pick<ConversationMessage, 'id' | 'role' | 'actorId'>[],
  moods: ReadonlyMap<string, number>,
): Map<string, MoodDelta> {
  const lastMoods = new Map<string, number>();
  const deltas = new Map<string, MoodDelta>();
  for (const message of messages) {
    const actor = buildActorKey(message);
    const mood = moods.get(message.id) ?? 0;
    deltas.set(message.id, compareMoods(lastMoods.get(actor), mood));
    lastMoods.set(actor, mood);
  }
  return deltas;
}

function buildActorKey({ role, actorId }: Pick<ConversationMessage, 'role' | 'actorId'>): string {
  return JSON.stringify([role, actorId]);
}

function compareMoods(before: number | undefined, mood: number): MoodDelta {
  if (before === undefined || before === mood) return NO_CHANGE;
  return { magnitude: Math.abs(mood - before) / 2, direction: mood > before ? 'rise' : 'fall' };
}
