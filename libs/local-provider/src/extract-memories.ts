import type { ExtractedMemory } from '@annals/contracts';
import { createOwnWordsReader, moveOpeningBehind, splitClauses, splitCompound, splitSentences } from '@annals/english';
import { type ConversationMessage, nameSubject, runAtOnce, type Speaker, type SubjectName } from '@annals/llm-core';
import { type IntroducedPeople, introducePeople } from './clauses/introduce-people.js';
import { linkMemories } from './compose/link-memories.js';
import { type DraftedMemory, extractClause } from './extract-clause.js';
import {
  isForeignText,
  isQuestion,
  isSupposed,
  isUncertain,
  MAX_SENTENCE_LENGTH,
  opensAsQuestion,
} from './sentences/skip-sentence.js';
import { expandContractions, trimSentence } from './sentences/trim-sentence.js';

/** As many as one answer may hold (`memory_llm_response_v1`). */
export const MAX_MEMORIES = 200;
const MAX_EVIDENCE = 20;

/**
 * Memories of the users' own messages, in the order of the conversation. System, tool and assistant text gives none
 * (docs/reference/extraction.md#only-user-messages-are-extracted). A statement said twice is kept once, with both
 * messages as evidence.
 */
export class MemoryCollector {
  readonly memories: ExtractedMemory[] = [];
  private readonly known = new Map<string, ExtractedMemory>();

  private readonly readOwnWords = createOwnWordsReader();

  /** `identify`: who speaks in a message of the role `user`. */
  constructor(private readonly identify: (message: ConversationMessage) => Speaker) {}

  /** Takes note of a message from before the conversation: a role play in it may go on. */
  readContext(message: ConversationMessage): void {
    if (message.role === 'user') this.readParts(message);
  }

  read(message: ConversationMessage): void {
    if (message.role !== 'user') return;
    const name = nameSubject(this.identify(message));
    const fresh: ExtractedMemory[] = [];
    for (const memory of extractMessage(message, name, this.readParts(message))) {
      const same = this.known.get(memory.content);
      if (same) {
        addEvidence(same, memory);
      } else if (this.memories.length + fresh.length < MAX_MEMORIES) {
        this.known.set(memory.content, memory);
        fresh.push(memory);
      }
    }
    linkMemories(fresh, name.inner, this.memories.length);
    this.memories.push(...fresh);
  }

  private readParts(message: ConversationMessage): readonly string[] {
    const { isUser, actorId } = this.identify(message);
    const content = cutToWholeCharacters(message.content);
    return runAtOnce(this.readOwnWords({ content, saidAt: message.createdAt, speaker: isUser ? null : actorId }));
  }
}

function addEvidence(memory: ExtractedMemory, repeated: ExtractedMemory): void {
  const cited = memory.evidence.some(({ message_id }) => message_id === repeated.evidence[0]?.message_id);
  if (!cited && memory.evidence.length < MAX_EVIDENCE) memory.evidence.push(...repeated.evidence);
}

/** What stands behind this place in one message is not read: nobody says that much in one turn, but logs are pasted. */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_MEMORIES_PER_MESSAGE = 20;

/** Thousands of lines of signs would cost as much as sentences. */
const LETTER = /\p{L}/u;

/** `parts`: what of the message its speaker says in person. */
function extractMessage(message: ConversationMessage, name: SubjectName, parts: readonly string[]): ExtractedMemory[] {
  const memories: ExtractedMemory[] = [];
  let introduced: IntroducedPeople = {};
  for (const quote of parts.flatMap((part) => splitSentences(part))) {
    if (!LETTER.test(quote) || quote.length > MAX_SENTENCE_LENGTH || isQuestion(quote) || isForeignText(quote))
      continue;
    const statement = trimSentence(expandContractions(quote));
    if (opensAsQuestion(statement) || isSupposed(statement)) continue;
    memories.push(...extractStatement(statement, introduced, quote, message, name));
    if (memories.length >= MAX_MEMORIES_PER_MESSAGE) break;
    introduced = introducePeople(statement, introduced);
  }
  return memories.slice(0, MAX_MEMORIES_PER_MESSAGE);
}

function extractStatement(
  statement: string,
  introduced: IntroducedPeople,
  quote: string,
  message: ConversationMessage,
  name: SubjectName,
): ExtractedMemory[] {
  const memories: ExtractedMemory[] = [];
  for (const part of splitClauses(statement, 'statement')) {
    const clause = moveOpeningBehind(trimSentence(part));
    if (isUncertain(clause)) continue;
    for (const drafted of draftParts(clause, introduced, message.createdAt, name)) {
      memories.push({ ...drafted, evidence: [{ message_id: message.id, quote }] });
    }
  }
  return memories;
}

/** Each part of a compound can end alone; a compound of which a part says nothing alone stays whole. */
function draftParts(
  clause: string,
  introduced: IntroducedPeople,
  saidAt: number,
  name: SubjectName,
): readonly DraftedMemory[] {
  const parts = splitCompound(clause);
  const drafts = parts.flatMap((part) => extractClause(part, introduced, saidAt, name) ?? []);
  if (drafts.length === parts.length || parts.length === 1) return drafts;
  return [extractClause(clause, introduced, saidAt, name) ?? []].flat();
}

function cutToWholeCharacters(text: string): string {
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  // A cut through a surrogate pair would leave half a character in a quote.
  const cut = text.slice(0, MAX_MESSAGE_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
