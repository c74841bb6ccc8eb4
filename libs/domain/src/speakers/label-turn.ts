import { describeParticipant, isPersonName, showActorId } from './describe-actor.js';
import { isUserActor, type SpeakingMessage } from './identify-speaker.js';

/**
 * How a line of an answer calls the speaker of a turn (docs/reference/recall.md#form-of-an-answer): "Ana", "user",
 * "assistant", "Another participant (U0423)", "assistant (planner)". Nothing of it can be taken for another role.
 */
export function labelTurnSpeaker(userId: string, { role, actorId }: SpeakingMessage): string {
  if (actorId === null) return role;
  if (isPersonName(actorId)) return actorId;
  if (role !== 'user') return `${role} (${showActorId(actorId)})`;
  return isUserActor(userId, actorId) ? role : describeParticipant(actorId);
}
