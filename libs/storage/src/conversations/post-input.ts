import type { BatchPriority, ConversationKind, MessageRole } from '@annals/contracts';

/** A message as the gateway passes it on: redacted, with the HMAC of its original text. */
export interface NewMessage {
  readonly externalId: string | null;
  readonly role: MessageRole;
  readonly actorId: string | null;
  readonly content: string;
  readonly contentHmac: Buffer;
  /** Of the same text under other keys that are accepted; a message that was stored under one is recognised. */
  readonly acceptedHmacs?: readonly Buffer[];
  /** Epoch ms. */
  readonly saidAt: number;
}

export interface AcceptMessagesInput {
  readonly userId: string;
  /** Null starts a new conversation, whose id is its thread id. */
  readonly threadId: string | null;
  readonly agentId: string | null;
  readonly runId: string | null;
  /** Null leaves it as it is; another one is the app of the conversation from now on. */
  readonly appId: string | null;
  /** Null leaves it as it is: `conversation` for a new one. */
  readonly kind?: ConversationKind | null;
  readonly messages: readonly NewMessage[];
  readonly end: boolean;
  readonly flush: boolean;
  /** A batch that contains posts of both priorities is interactive (docs/reference/queues.md#priority-and-ageing). */
  readonly priority: BatchPriority;
  /** Epoch ms. */
  readonly now: number;
  /** How long a batch waits for further messages; 0 seals it immediately. */
  readonly windowMs: number;
  readonly maxMessages: number;
  /** W3C traceparent of the request. */
  readonly trace: string | null;
}
