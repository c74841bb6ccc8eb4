import type { postConversationSchema } from '@annals/contracts';
import type { z } from 'zod';

export type Post = z.input<typeof postConversationSchema>;

/** A sentence from which the local provider extracts exactly one memory; a different one for each number. */
export function renderFactMessage(number: number): string {
  return `I collect item ${number}.`;
}

/** The memory that is extracted from {@link renderFactMessage}. */
export function factContent(number: number): string {
  return `The user collects item ${number}.`;
}

/** A post of a user's facts, one message each, with message ids so that it can be sent again. */
export function makePost(facts: readonly number[], target: { userId: string; threadId: string }): Post {
  return {
    user_id: target.userId,
    thread_id: target.threadId,
    messages: facts.map((fact, index) => ({
      id: `${target.threadId}-${fact}-${index}`,
      role: 'user',
      content: renderFactMessage(fact),
    })),
  };
}
