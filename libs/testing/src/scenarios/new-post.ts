import type { AcceptMessagesInput, NewMessage } from '@annals/storage';
import { createHash } from 'node:crypto';

/** A message of a user. Its `contentHmac` is a plain SHA-256 of the content. `saidAt` in epoch ms. */
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
 * A post as the gateway would store it at `now`: to a thread of its own and sealed, so that its batch is due. Fields
 * that a test does not give have defaults.
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
