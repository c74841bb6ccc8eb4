import type { ExtractedMemory } from '@annals/contracts';
import { moveOpeningBehind, splitClauses, splitSentences } from '@annals/english';
import type { ConversationMessage } from '@annals/llm-core';
import { extractClause } from './extract-clause.js';
import { introducePeople } from './person/resolve-pronouns.js';
import type { IntroducedPeople } from './person/resolve-pronouns.js';
import type { SubjectName } from '@annals/llm-core';
import { expandContractions } from './sentences/expand-contractions.js';
import {
  isForeignText,
  isQuestion,
  isUncertain,
  MAX_SENTENCE_LENGTH,
  opensAsQuestion,
} from './sentences/skip-sentence.js';
import { trimSentence } from './sentences/trim-sentence.js';

/** What stands behind this place in one message is not read: nobody says that much in one turn, but logs are pasted. */
export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_MEMORIES_PER_MESSAGE = 20;

/** The memories one message gives, in the order of its words. */
export function extractMessage(message: ConversationMessage, name: SubjectName): ExtractedMemory[] {
  const memories: ExtractedMemory[] = [];
  let introduced: IntroducedPeople = {};
  for (const quote of splitSentences(cutToWholeCharacters(message.content))) {
    if (quote.length > MAX_SENTENCE_LENGTH || isQuestion(quote) || isForeignText(quote)) continue;
    const statement = trimSentence(expandContractions(quote));
    if (opensAsQuestion(statement)) continue;
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
    const drafted = extractClause(clause, introduced, message.createdAt, name);
    if (drafted) memories.push({ ...drafted, evidence: [{ message_id: message.id, quote }] });
  }
  return memories;
}

function cutToWholeCharacters(text: string): string {
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  // A cut through a surrogate pair would leave half a character in a quote.
  const cut = text.slice(0, MAX_MESSAGE_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
