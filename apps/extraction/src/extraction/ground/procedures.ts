import { type ExtractedItem, MAX_MEMORY_LENGTH } from '@annals/contracts';
import { composeProcedure, findProcedure, type FoundProcedure, isQuoteGrounded } from '@annals/domain';
import { filterItems } from '../arrange-items.js';
import type { BatchMessage } from './ground-answer.js';

/** High, since the user explicitly requested to store the procedure. */
const CONFIDENCE = 0.95;
const IMPORTANCE = 3;

/**
 * Adds the procedures that users asked to store (docs/reference/extraction.md#procedures), and removes other memories
 * that are based on the same text: steps are not facts about a person.
 */
export function addProcedures(items: readonly ExtractedItem[], messages: readonly BatchMessage[]): ExtractedItem[] {
  const found = new Map(
    messages.flatMap(({ id, role, content }): [string, FoundProcedure][] => {
      const procedure = role === 'user' ? findProcedure(content) : null;
      return procedure && composeProcedure(procedure).length <= MAX_MEMORY_LENGTH ? [[id, procedure]] : [];
    }),
  );
  if (found.size === 0) return [...items];
  const isOfSteps = ({ evidence }: ExtractedItem) =>
    evidence.length > 0 &&
    evidence.every(({ message_id, quote }) => isQuoteGrounded(quote, found.get(message_id)?.text ?? ''));
  return [
    ...filterItems(items, (item) => !isOfSteps(item)),
    ...[...found].map(([messageId, procedure]) => toItem(messageId, procedure)),
  ];
}

function toItem(messageId: string, procedure: FoundProcedure): ExtractedItem {
  return {
    content: composeProcedure(procedure),
    category: 'procedural',
    type: 'procedural',
    importance: IMPORTANCE,
    confidence: CONFIDENCE,
    evidence: [{ message_id: messageId, quote: procedure.quote }],
  };
}
