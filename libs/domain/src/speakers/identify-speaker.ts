import { isPersonName } from './describe-actor.js';

/** Who the user of a conversation is. */
export interface KnownUser {
  /** `user_id` of the conversation. */
  readonly id: string;
  /** Names that the person has consented to. */
  readonly names: readonly string[];
}

/** A conversation of which nothing about the user is known: only messages without an actor are theirs. */
export const UNKNOWN_USER: KnownUser = { id: '', names: [] };

/** A message's author. `actorId`: null when the caller names nobody. */
export interface SpeakingMessage {
  readonly role: string;
  readonly actorId: string | null;
}

/** Who said a message of the role `user`. */
export interface Speaker {
  readonly isUser: boolean;
  /** The actor; null for a message without one. */
  readonly actorId: string | null;
  /** The actor if it is a person's name, else null. */
  readonly name: string | null;
}

/** An `actor_id` that only repeats the role. */
const ROLE_OF_USER = /^(?:(?:end[ _-]?)?user|human|me|self|customer|client|guest)$/iu;

/** True when a message of the role `user` is the user's own by its actor alone (docs/reference/speakers.md#the-user). */
export function isUserActor(userId: string, actorId: string | null): boolean {
  return actorId === null || ROLE_OF_USER.test(actorId) || isSameName(actorId, userId);
}

/**
 * True when a turn is certainly another participant's: its actor is an id that is not the user's. A name may be the
 * user's own.
 */
export function isOtherParticipant(userId: string, { role, actorId }: SpeakingMessage): boolean {
  return role === 'user' && actorId !== null && !isUserActor(userId, actorId) && !isPersonName(actorId);
}

/**
 * Who speaks in each message of a conversation (docs/reference/speakers.md#the-user). A name that the user is known by
 * counts only where nobody speaks under the user's id: elsewhere it is another participant of the same name.
 */
export function identifySpeakers(
  user: KnownUser,
  messages: readonly SpeakingMessage[],
): (message: Pick<SpeakingMessage, 'actorId'>) => Speaker {
  const speaksById = messages.some(({ role, actorId }) => role === 'user' && isUserActor(user.id, actorId));
  const names = speaksById ? [] : user.names;
  return ({ actorId }) => {
    const isUser = isUserActor(user.id, actorId) || names.some((name) => isSameName(name, actorId!));
    return { isUser, actorId, name: actorId !== null && isPersonName(actorId) ? actorId : null };
  };
}

/** Without regard to case: callers send "mara" as an id and "Mara" as a display name. */
function isSameName(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}
