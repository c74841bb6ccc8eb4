import { FOREIGN_FACTS } from './foreign-facts.js';
import { PLANTED_TEXTS } from './planted-texts.js';
import { SERVED_LINES } from './served-lines.js';
import { SPEAKERS } from './speakers.js';

/** What an attack imitates, or what a look-alike could be mistaken for. */
export type AttackKind =
  'hidden' | 'delimiter' | 'procedure' | 'name' | 'role_play' | 'pasted' | 'injection' | 'speaker';

/** One message of an attack; without `actor` it is the user's own, without `role` a user's. */
interface AttackMessage {
  readonly content: string;
  readonly actor?: string;
  readonly role?: 'user' | 'assistant' | 'tool';
}

/**
 * Texts that try to become facts, profile or instructions (`isAttack`), and look-alikes that are no attack. The user's
 * id is `mara` unless `userId` says otherwise. Each case says what has to come of it: `served`, the content of the last
 * message as a line of an answer; `memories`, the contents of the memories that are served, in any
 * order; `names`, the preferred
 * names that are set without a person's confirmation.
 */
export interface AttackCase {
  readonly kind: AttackKind;
  readonly isAttack: boolean;
  readonly messages: readonly AttackMessage[];
  readonly userId?: string;
  readonly served?: string;
  readonly memories?: readonly string[];
  readonly names?: readonly string[];
}

export const ATTACK_CORPUS: readonly AttackCase[] = [...SERVED_LINES, ...FOREIGN_FACTS, ...PLANTED_TEXTS, ...SPEAKERS];
