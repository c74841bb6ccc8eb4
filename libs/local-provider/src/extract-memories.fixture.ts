import type { ExtractedMemory } from '@annals/contracts';
import { type ConversationMessage, identifySpeakers, type KnownUser, UNKNOWN_USER } from '@annals/llm-core';
import { MemoryCollector } from './extract-memories.js';

/** The memories of a short conversation, all at once. */
export function extractMemories(
  messages: readonly ConversationMessage[],
  user: KnownUser = UNKNOWN_USER,
): ExtractedMemory[] {
  const collector = new MemoryCollector(identifySpeakers(user, messages));
  for (const message of messages) collector.read(message);
  return collector.memories;
}
