import type { ExtractedMemory } from '@annals/contracts';
import type { ConversationMessage } from '@annals/llm-core';
import { linkMemories } from './compose/link-memories.js';
import { extractMessage } from './extract-message.js';
import { resolveSubjectName } from '@annals/llm-core';

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

  constructor(private readonly subjectName?: string) {}

  read(message: ConversationMessage): void {
    if (message.role !== 'user') return;
    const name = resolveSubjectName(message.actorId, this.subjectName);
    const fresh: ExtractedMemory[] = [];
    for (const memory of extractMessage(message, name)) {
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
}

function addEvidence(memory: ExtractedMemory, repeated: ExtractedMemory): void {
  const cited = memory.evidence.some(({ message_id }) => message_id === repeated.evidence[0]?.message_id);
  if (!cited && memory.evidence.length < MAX_EVIDENCE) memory.evidence.push(...repeated.evidence);
}
