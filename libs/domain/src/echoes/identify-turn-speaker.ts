import { splitWords } from '@annals/english';
import { toIndexTerm } from '../lexical/to-index-term.js';
import { isPersonName } from '../speakers/describe-actor.js';
import { isUserActor, type SpeakingMessage } from '../speakers/identify-speaker.js';
import type { TurnSpeaker } from './read-turn.js';

/** Whom "I" and "you" mean in a message of the user's conversations, by its role and actor alone. */
export function identifyTurnSpeaker(userId: string, { role, actorId }: SpeakingMessage): TurnSpeaker {
  if (role !== 'user') return { is: 'assistant' };
  if (actorId === null || isUserActor(userId, actorId)) return { is: 'user' };
  return { is: 'other', name: isPersonName(actorId) ? splitWords(actorId).map(toIndexTerm).join(' ') : null };
}
