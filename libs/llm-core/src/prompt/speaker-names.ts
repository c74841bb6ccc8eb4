import type { ConversationMessage } from '../provider/llm-request.js';

/** How memories call the person who speaks. */
export interface SubjectName {
  /** At the start of a sentence: "Ana", "The user". */
  initial: string;
  /** Inside a sentence: "Ana", "the user". */
  inner: string;
  possessive: string;
}

// "ana", "user_17" and mail addresses are handles; "Ana", "Jean-Luc" and "Ana de Souza" are names.
const LOOKS_LIKE_NAME = /^\p{Lu}[\p{Ll}\p{M}]+(?:[ '’-](?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}\.))*$/u;
const ROLE_WORDS =
  /^(?:User|Admin|Human|Assistant|Customer|Guest|Client|Member|Agent|Bot|System|Anonymous|Unknown|Default|The)\b/;
const MAX_NAME_LENGTH = 60;

export function resolveSubjectName(actorId: string | null, subjectName: string | undefined): SubjectName {
  const name = [actorId, subjectName].find((candidate) => candidate && looksLikeName(candidate));
  if (name) return { initial: name, inner: name, possessive: `${name}'s` };
  return { initial: 'The user', inner: 'the user', possessive: "the user's" };
}

function looksLikeName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && LOOKS_LIKE_NAME.test(text) && !ROLE_WORDS.test(text);
}

type Speaker = Pick<ConversationMessage, 'role' | 'actorId'>;

/** Label of a speaker without a known name; the system text tells models to write "The user" for it. */
const UNNAMED = 'user';

/**
 * Assigns every speaker a short label that memories can use as a name: the actor's name, otherwise `subjectName`,
 * otherwise `user`. Labels are unique per actor; ids that are not names are never shown.
 */
export function labelSpeakers(
  messages: readonly Speaker[],
  subjectName: string | undefined,
): (message: Speaker) => string {
  const labels = new Map<string | null, string>();
  for (const { role, actorId } of messages) {
    if (role !== 'user' || labels.has(actorId)) continue;
    labels.set(actorId, makeUnique(chooseLabel(actorId, subjectName), new Set(labels.values())));
  }
  return ({ role, actorId }) => (role === 'user' ? (labels.get(actorId) ?? UNNAMED) : role);
}

function chooseLabel(actorId: string | null, subjectName: string | undefined): string {
  const { initial, inner } = resolveSubjectName(actorId, subjectName);
  // Only the placeholder "The user" is written differently inside a sentence.
  return initial === inner ? inner : UNNAMED;
}

function makeUnique(label: string, taken: ReadonlySet<string>): string {
  if (!taken.has(label)) return label;
  let number = 2;
  while (taken.has(`${label} ${number}`)) number += 1;
  return `${label} ${number}`;
}
