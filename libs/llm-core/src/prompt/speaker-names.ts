import { describeParticipant, identifySpeakers, type KnownUser, type Speaker, showActorId } from '@annals/domain';
import type { ConversationMessage } from '../provider/llm-request.js';

/** How memories call the person who speaks. */
export interface SubjectName {
  /** At the start of a sentence: "Ana", "The user", "Another participant (U0423)". */
  initial: string;
  /** Inside a sentence: "Ana", "the user", "another participant (U0423)". */
  inner: string;
  possessive: string;
}

/** Names a speaker (docs/reference/speakers.md#names-in-memories). */
export function nameSubject({ isUser, actorId, name }: Speaker): SubjectName {
  if (name !== null) return { initial: name, inner: name, possessive: `${name}'s` };
  if (isUser) return { initial: 'The user', inner: 'the user', possessive: "the user's" };
  const initial = describeParticipant(actorId ?? '');
  const inner = initial.replace(/^Another/u, 'another');
  return { initial, inner, possessive: `${inner}'s` };
}

type Author = Pick<ConversationMessage, 'role' | 'actorId'>;

/** Labels of speakers without a name; the system text tells models what to write for them. */
const UNNAMED_USER = 'user';

/**
 * Assigns every speaker a short label that memories can use as a name: the actor's name, otherwise `user`, or for
 * others `participant (U0423)`. Labels are unique per actor; ids that could carry an address are never shown.
 */
export function labelSpeakers(messages: readonly Author[], user: KnownUser): (message: Author) => string {
  const identify = identifySpeakers(user, messages);
  const labels = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'user') continue;
    const speaker = identify(message);
    const key = keyOf(speaker);
    if (!labels.has(key)) labels.set(key, makeUnique(chooseLabel(speaker), new Set(labels.values())));
  }
  return (message) => (message.role === 'user' ? (labels.get(keyOf(identify(message))) ?? UNNAMED_USER) : message.role);
}

/** The user is one speaker under all of their ids, except under a name of their own. */
function keyOf({ isUser, actorId, name }: Speaker): string {
  return JSON.stringify(isUser && name === null ? null : actorId);
}

function chooseLabel({ isUser, actorId, name }: Speaker): string {
  return name ?? (isUser ? UNNAMED_USER : `participant (${showActorId(actorId ?? '')})`);
}

function makeUnique(label: string, taken: ReadonlySet<string>): string {
  if (!taken.has(label)) return label;
  let number = 2;
  while (taken.has(`${label} ${number}`)) number += 1;
  return `${label} ${number}`;
}
