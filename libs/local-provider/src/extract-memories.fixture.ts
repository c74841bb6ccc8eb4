import type { ExtractedMemory } from '@annals/contracts';
import type { ConversationMessage } from '@annals/llm-core';
import { MemoryCollector } from './extract-memories.js';

/** The memories of a short conversation, all at once. */
export function extractMemories(messages: readonly ConversationMessage[], subjectName?: string): ExtractedMemory[] {
  const collector = new MemoryCollector(subjectName);
  for (const message of messages) collector.read(message);
  return collector.memories;
}
