import type { postConversationSchema } from '@annals/contracts';
import type { z } from 'zod';

export type Post = z.input<typeof postConversationSchema>;

/** A sentence the local provider makes exactly one memory of, another for each number. */
export function sayFact(number: number): string {
  return `I collect item ${number}.`;
}

/** The memory that comes of {@link sayFact}. */
export function factContent(number: number): string {
  return `The user collects item ${number}.`;
}

/** A post of a user's facts, one message each, with ids so that it can be sent again. */
export function makePost(facts: readonly number[], place: { userId: string; threadId: string }): Post {
  return {
    user_id: place.userId,
    thread_id: place.threadId,
    messages: facts.map((fact, index) => ({
      id: `${place.threadId}-${fact}-${index}`,
      role: 'user',
      content: sayFact(fact),
    })),
  };
}
