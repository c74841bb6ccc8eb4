import type { ConversationMessage } from '../provider/llm-request.js';

export type MoodDirection = 'rise' | 'fall' | 'none';

/** How far an actor's mood moved since what that actor said before: `magnitude` 0 to 1. */
export interface MoodDelta {
  readonly magnitude: number;
  readonly direction: MoodDirection;
}

const NO_CHANGE: MoodDelta = { magnitude: 0, direction: 'none' };

/**
 * The mood delta of each message, by message id. `messages` are in the order of the conversation, `moods` −1 to 1 by
 * message id; magnitude is |mood − mood before| / 2. The first message of an actor has none, so a conversation's
 * earlier messages belong in the list too.
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
