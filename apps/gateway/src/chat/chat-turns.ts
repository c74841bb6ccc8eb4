import {
  externalIdSchema,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGES_PER_POST,
  type MessageInput,
  type PostConversation,
  routes,
} from '@annals/contracts';
import { alignHistory, makeStorable, MAX_ALIGNED_TURNS, type SentTurn, type StoredTurn } from '@annals/domain';
import type { SpokenTurn } from '@annals/llm-core';
import { DATABASE, SECRETS, type Secrets } from '@annals/runtime';
import { type Database, readThreadTurns, type ThreadTurn } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { tenantOf } from '../auth/principal.js';
import { ConversationIngestion } from '../conversations/conversation-ingestion.js';
import { MessageKeys } from '../conversations/message-keys.js';
import { InputAdmission } from '../http/input-admission.js';
import type { ChatCall, ChatScope } from './chat-request.js';
import { removeBlocks } from './memory-block.js';

/** A thread of a user, by the ids under which it is stored. */
export interface ChatThread {
  readonly userId: string;
  readonly threadId: string;
  readonly agentId: string | null;
  /** Whether the client named it. */
  readonly isNamed: boolean;
}

/** A history, compared with what is stored of its thread. */
export interface ComparedHistory {
  readonly thread: ChatThread;
  /** Epoch ms; null of a thread that this request begins. */
  readonly startedAt: number | null;
  /** Ids of the messages that were sent again. */
  readonly matched: readonly string[];
  /** What is new of it. */
  readonly messages: readonly MessageInput[];
  /** The message that the answer follows, for the id of the answer. */
  readonly lastId: string;
}

export interface SpokenAnswer {
  readonly text: string;
  /** Whether it broke off, or its client left before its end. */
  readonly isCut: boolean;
}

/** Ends the ids of answers that were cut. */
const CUT = '-cut';

/** What was said in chats, as conversations (docs/chat.md#what-is-stored). */
@Injectable()
export class ChatTurns {
  private readonly threadKey: KeyObject;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SECRETS) secrets: Secrets,
    @Inject(MessageKeys) private readonly keys: MessageKeys,
    @Inject(InputAdmission) private readonly inputs: InputAdmission,
    @Inject(ConversationIngestion) private readonly ingestion: ConversationIngestion,
  ) {
    // Not a key that is rotated: the same chat would then be another thread, and stored again.
    this.threadKey = createSecretKey(secrets.chain);
  }

  /** The thread of a chat whose client names none: the same for the same user and first message. */
  deriveThreadId(tenantId: string, userId: string, turns: readonly SpokenTurn[]): string | null {
    const first = turns.find(({ role }) => role === 'user') ?? turns[0];
    if (!first) return null;
    const text = JSON.stringify(['chat-thread', tenantId, userId, first.text]);
    return `chat-${createHmac('sha256', this.threadKey).update(text).digest('hex').slice(0, 32)}`;
  }

  /**
   * The thread by the ids under which it is stored. Throws `forbidden_…` and `validation_failed` before anything is
   * read: what is compared with a thread must be sent by who may write to it.
   */
  async findThread(call: ChatCall, { isNamed, ...thread }: ChatThread): Promise<ChatThread> {
    const probe: MessageInput = { role: 'user', content: '.' };
    const { body } = await this.inputs.prepare(routes.postConversation, toBody(thread, [probe]), call);
    return { ...thread, userId: body.user_id, threadId: body.thread_id!, isNamed };
  }

  /** Finds what is new of a history. */
  async compare(
    call: ChatCall,
    thread: ChatThread,
    spoken: readonly SpokenTurn[],
    { isRetry }: Pick<ChatScope, 'isRetry'>,
  ): Promise<ComparedHistory> {
    const tenantId = tenantOf(call.caller);
    const turns = spoken
      .slice(-MAX_ALIGNED_TURNS)
      .flatMap((turn) => [...toStorable(turn)])
      .slice(-MAX_ALIGNED_TURNS);
    const sent = turns.map(({ role, text }): SentTurn => ({ role, keys: this.keys.keysOf(tenantId, text) }));
    const { startedAt, turns: stored } = await this.database.readTenant(tenantId, (tx) =>
      readThreadTurns(tx, { ...thread, limit: MAX_ALIGNED_TURNS }),
    );
    const { newFrom, matched } = alignHistory(sent, stored.map(toStoredTurn), {
      repeatsAnew: thread.isNamed && !isRetry,
    });
    const after = nameOf(stored.at(-1)) ?? thread.threadId;
    const keys = sent.slice(newFrom).map((turn) => turn.keys[0]!);
    const messages = toMessages(turns.slice(newFrom), keys, { after, thread });
    const again = stored.find(({ id }) => id === matched.at(-1));
    return { thread, startedAt, matched, messages, lastId: messages.at(-1)?.id ?? nameOf(again) ?? after };
  }

  async store(call: ChatCall, { thread, messages }: ComparedHistory): Promise<void> {
    for (let from = 0; from < messages.length; from += MAX_MESSAGES_PER_POST)
      await this.post(call, thread, messages.slice(from, from + MAX_MESSAGES_PER_POST));
  }

  /** Stores what the assistant said. Sent again, it is the same message. */
  async storeAnswer(call: ChatCall, { text, isCut }: SpokenAnswer, history: ComparedHistory): Promise<void> {
    const { thread, lastId: after } = history;
    const turns = [...toStorable({ role: 'assistant', text, name: null })];
    const keys = turns.map((turn) => this.keys.keysOf(tenantOf(call.caller), turn.text)[0]!);
    const messages = toMessages(turns, keys, { after, thread });
    const named = isCut ? messages.map((message) => ({ ...message, id: `${message.id}${CUT}` })) : messages;
    if (named.length > 0) await this.post(call, thread, named);
  }

  private async post(call: ChatCall, thread: ChatThread, messages: readonly MessageInput[]): Promise<void> {
    await this.ingestion.accept(await this.inputs.prepare(routes.postConversation, toBody(thread, messages), call));
  }
}

function toBody(
  { userId, threadId, agentId }: Omit<ChatThread, 'isNamed'>,
  messages: readonly MessageInput[],
): Partial<PostConversation> {
  return {
    user_id: userId,
    thread_id: threadId,
    ...(agentId === null ? {} : { agent_id: agentId }),
    messages: [...messages],
  };
}

/** A message as it can be stored: without what was added to it, in pieces where it is too long. */
function* toStorable(turn: SpokenTurn): Generator<SpokenTurn> {
  const text = makeStorable(removeBlocks(turn.text));
  if (text.trim() === '') return;
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    yield { ...turn, text: text.slice(start, end) };
    start = end;
  }
}

/** Never between the halves of a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + MAX_MESSAGE_LENGTH);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!);
  return isSplit ? end - 1 : end;
}

function toStoredTurn({ id, externalId, role, contentHmac }: ThreadTurn): StoredTurn {
  return { id, role, key: contentHmac?.toString('hex') ?? null, isCut: externalId?.endsWith(CUT) ?? false };
}

function nameOf(turn: ThreadTurn | undefined): string | null {
  return turn === undefined ? null : (turn.externalId ?? turn.id);
}

/** The same for the same words after the same message, so that requests that run at once store them once. */
function deriveId(after: string, role: SpokenTurn['role'], key: string): string {
  const hash = createHmac('sha256', key)
    .update(JSON.stringify([after, role]))
    .digest('hex');
  return `chat-${hash.slice(0, 32)}`;
}

/** `keys`: of each turn. `after`: the id of the message that they follow. */
function toMessages(
  turns: readonly SpokenTurn[],
  keys: readonly string[],
  { after, thread }: { readonly after: string; readonly thread: ChatThread },
): MessageInput[] {
  let id = after;
  return turns.map((turn, index) => {
    id = deriveId(id, turn.role, keys[index]!);
    return toMessage(turn, id, thread);
  });
}

/** The participant that OpenAI's `name` tells apart; the user themselves need none. */
function toMessage({ role, text, name }: SpokenTurn, id: string, { userId }: ChatThread): MessageInput {
  // A name that is no id must not keep what was said from being stored.
  const { data: actor } = externalIdSchema.safeParse(name?.trim());
  return { id, role, content: text, ...(actor === undefined || actor === userId ? {} : { actor_id: actor }) };
}
