import type { AcceptMessagesInput, NewMessage } from '@annals/storage';
import { createHash } from 'node:crypto';

/** A message of a user; for one with an id, its HMAC stands for the words. `saidAt` in epoch ms. */
export function newMessage(content: string, saidAt: number, fields: Partial<NewMessage> = {}): NewMessage {
  return {
    externalId: null,
    role: 'user',
    actorId: null,
    content,
    contentHmac: createHash('sha256').update(content).digest(),
    saidAt,
    ...fields,
  };
}

/**
 * What a gateway would hand over at `now`, of which only what matters to a test is given: a post to a thread of its own,
 * sealed, so that its batch is due.
 */
export function newPost(
  messages: readonly NewMessage[],
  now: number,
  fields: Partial<Omit<AcceptMessagesInput, 'messages' | 'now'>> = {},
): AcceptMessagesInput {
  return {
    userId: 'ada',
    threadId: null,
    agentId: null,
    runId: null,
    appId: null,
    messages,
    end: false,
    flush: true,
    priority: 'interactive',
    now,
    windowMs: 0,
    maxMessages: 50,
    trace: null,
    ...fields,
  };
}
