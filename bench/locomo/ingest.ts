import type {
  Batch,
  Conversation as StoredConversation,
  ConversationAccepted,
  PostConversation,
} from '@annals/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../frame/load.ts';
import { type Conversation, dateMessages } from './data-set.ts';

const POLL_MS = 200;
const TIMEOUT_MS = 15 * 60_000;
const PAGE = 200;
/** Maximum number of messages in one request. */
const POST_SIZE = 500;

/** Ids of the data set by ids of stored messages. */
export type MessageIds = ReadonlyMap<string, string>;

export interface Ingested {
  readonly messageIds: MessageIds;
  /** Of the stored conversations, one for each thread. */
  readonly conversationIds: readonly string[];
}

/** Posts every message by REST and waits for its batch: one user per conversation, one thread per session. */
export async function ingest(client: ApiClient, conversations: readonly Conversation[]): Promise<Ingested> {
  const messageIds = new Map<string, string>();
  const stored: string[] = [];
  for (const conversation of conversations) {
    // Sequentially, since `npm run bench` measures load.
    const batchIds: string[] = [];
    const conversationIds = new Set<string>();
    for (const post of toPosts(conversation)) {
      const accepted = await call<ConversationAccepted>(client.post('/v1/conversations', JSON.stringify(post)));
      batchIds.push(...accepted.batch_ids);
      conversationIds.add(accepted.conversation_id);
    }
    await waitUntilDone(client, batchIds);
    for (const id of conversationIds) {
      for (const message of await readMessages(client, id))
        messageIds.set(message.id, message.external_id ?? message.id);
    }
    stored.push(...conversationIds);
  }
  return { messageIds, conversationIds: stored };
}

function toPosts({ id, sessions }: Conversation): PostConversation[] {
  return sessions.flatMap((session) => {
    const messages = dateMessages(session).map((message) => ({
      id: message.id,
      role: message.role ?? 'user',
      // "user" and "assistant" are roles, not names.
      ...(message.speaker === message.role ? {} : { actor_id: message.speaker }),
      content: message.text,
      created_at: new Date(message.saidAt).toISOString(),
    }));
    return Array.from({ length: Math.ceil(messages.length / POST_SIZE) }, (_, page) => ({
      user_id: id,
      thread_id: `${id}-${session.id}`,
      messages: messages.slice(page * POST_SIZE, (page + 1) * POST_SIZE),
      end: false,
      flush: true,
      priority: 'interactive' as const,
    }));
  });
}

async function waitUntilDone(client: ApiClient, batchIds: readonly string[]): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (const id of new Set(batchIds)) {
    for (;;) {
      // A single process with an embedded database may not answer in time.
      const batch = await call<Batch>(client.get(`/v1/batches/${id}`)).catch(() => null);
      if (batch?.status === 'done') break;
      if (batch?.status === 'failed') throw new Error(`A batch failed: ${batch.error?.code}.`);
      if (performance.now() > deadline) throw new Error(`Batches were not done within ${TIMEOUT_MS / 60_000} minutes.`);
      await sleep(POLL_MS);
    }
  }
}

/** All messages of a conversation, as they are stored. */
export async function readMessages(client: ApiClient, conversationId: string): Promise<StoredConversation['messages']> {
  const pages: StoredConversation['messages'][] = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/conversations/${conversationId}?limit=${PAGE}${page}`;
    const stored: StoredConversation = await call(client.get(path));
    pages.push(stored.messages);
    cursor = stored.next_cursor;
  } while (cursor !== null);
  return pages.flat();
}

export async function call<T>(answer: Promise<string>): Promise<T> {
  return JSON.parse(await answer) as T;
}
