import type { postConversationSchema } from '@annals/contracts';
import type { z } from 'zod';

export type Post = z.input<typeof postConversationSchema>;

/** A sentence the local provider makes exactly one memory of, another for each number. */
export function renderFactMessage(number: number): string {
  return `I collect item ${number}.`;
}

/** The memory that comes of {@link renderFactMessage}. */
export function factContent(number: number): string {
  return `The user collects item ${number}.`;
}

/** A post of a user's facts, one message each, with ids so that it can be sent again. */
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
