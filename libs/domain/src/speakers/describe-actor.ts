import { hash } from 'node:crypto';
import { readsAsInstruction } from './reads-as-instruction.js';

const WORD = String.raw`\p{Lu}[\p{Ll}\p{M}]+`;
const PARTICLE = '(?:de|da|do|dos|das|di|del|della|la|le|van|von|der|den|ten|bin|ibn|al|el|y)';
/** "Ana", "Jean-Luc", "Ana de Souza", "O’Neil" and "Ana M." are names; "ana", "user_17" and addresses are ids. */
const NAME = new RegExp(
  String.raw`^(?:\p{Lu}['’])?${WORD}(?:-[\p{Ll}\p{M}]+)?(?:[ '’-](?:${PARTICLE} ){0,2}(?:Mc|Mac|\p{Lu}['’])?(?:${WORD}|\p{Lu}\.)){0,3}$`,
  'u',
);
const ROLE_NAME =
  /^(?:User|Admin|Human|Me|Assistant|Customer|Guest|Client|Member|Agent|Bot|System|Anonymous|Unknown|Default|The|Another)\b/u;
const MAX_NAME_LENGTH = 60;

/** What can be shown of an id: no white space, nothing that ends a bracket, no address and no phone number. */
const SHOWABLE_ID = /^(?=.{0,64}$)(?!\+?\d{7,}$)[\p{L}\p{N}](?:[\p{L}\p{N}_:#-]|\.(?=[\p{L}\p{N}]))*$/u;
const PSEUDONYM_LENGTH = 8;

/** True for an `actor_id` that is a person's name, with which a sentence can begin. */
export function isPersonName(actorId: string): boolean {
  return (
    actorId.length <= MAX_NAME_LENGTH && NAME.test(actorId) && !ROLE_NAME.test(actorId) && !readsAsInstruction(actorId)
  );
}

/**
 * What stands for an `actor_id` that is no name: the id itself, or the beginning of its hash where it could carry an
 * address, a phone number or instructions.
 */
export function showActorId(actorId: string): string {
  if (SHOWABLE_ID.test(actorId) && !readsAsInstruction(actorId.replace(/[_:#.-]+/gu, ' '))) return actorId;
  return `p-${hash('sha256', actorId).slice(0, PSEUDONYM_LENGTH)}`;
}

/** How texts call a speaker who is not the user: "Ana", "Another participant (U0423)". */
export function describeParticipant(actorId: string): string {
  return isPersonName(actorId) ? actorId : `Another participant (${showActorId(actorId)})`;
}
