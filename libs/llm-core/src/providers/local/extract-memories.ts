import type { ExtractedMemory } from '@annals/contracts';
import type { ConversationMessage } from '../../provider/llm-request.js';
import { linkMemories } from './compose/link-memories.js';
import { extractMessage } from './extract-message.js';
import { nameSubject } from './person/subject-name.js';

/** As many as one answer may hold (`memory_llm_response_v1`). */
export const MAX_MEMORIES = 200;

/**
 * Memories of the users' own messages, in the order of the conversation. System, tool and assistant text gives none
 * (decision 27). A statement said twice is kept once, with both messages as evidence.
 */
export function extractMemories(messages: readonly ConversationMessage[], subjectName?: string): ExtractedMemory[] {
  const memories: ExtractedMemory[] = [];
  const placeOf = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== 'user') continue;
    const name = nameSubject(message.actorId, subjectName);
    const fresh: ExtractedMemory[] = [];
    for (const memory of extractMessage(message, name)) {
      const place = placeOf.get(memory.content);
      if (place !== undefined) {
        addEvidence(memories[place] ?? fresh[place - memories.length]!, memory);
      } else if (memories.length + fresh.length < MAX_MEMORIES) {
        placeOf.set(memory.content, memories.length + fresh.length);
        fresh.push(memory);
      }
    }
    memories.push(...linkMemories(fresh, name.inner, memories.length));
  }
  return memories;
}

const MAX_EVIDENCE = 20;

function addEvidence(memory: ExtractedMemory, repeated: ExtractedMemory): void {
  const known = memory.evidence.some(({ message_id }) => message_id === repeated.evidence[0]?.message_id);
  if (!known && memory.evidence.length < MAX_EVIDENCE) memory.evidence.push(...repeated.evidence);
}
