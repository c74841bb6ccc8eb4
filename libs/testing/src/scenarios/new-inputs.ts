import type { NewMemory } from '@annals/domain';
import type { AcceptMessagesInput, NewEvent, NewMessage } from '@annals/storage';
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

/** A statement that was added by API at `now`; fields that a test does not give have defaults. */
export function newMemory(content: string, now: number, fields: Partial<NewMemory> = {}): NewMemory {
  return {
    content,
    category: 'profile',
    type: 'semantic',
    origin: 'manual',
    importance: 3,
    confidence: 0.8,
    pinned: false,
    emotionalContext: null,
    significance: null,
    relationshipDynamics: null,
    rationale: null,
    provider: null,
    model: null,
    costMicroUsd: 0,
    quarantineReason: null,
    validFrom: now,
    validTo: null,
    saidAt: now,
    sources: [],
    ...fields,
  };
}

/** The event of a recall query about `ada`, at `ts` (epoch ms). */
export function newEvent(id: string, ts: number, fields: Partial<Omit<NewEvent, 'id' | 'ts'>> = {}): NewEvent {
  return {
    id,
    userId: 'ada',
    threadId: null,
    node: 'hotpath',
    op: 'recall',
    status: 'ok',
    memoryId: null,
    category: null,
    sim: null,
    ts,
    ...fields,
  };
}
