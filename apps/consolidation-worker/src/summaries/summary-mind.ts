import type { Config } from '@annals/config';
import { summaryQueue } from '@annals/contracts';
import { findDueSummary, hasOnlyGrown, summaryWatermark } from '@annals/domain';
import type { MindContext, MindFactory, MindStage, MindSubject } from '@annals/runtime';
import { loadSummarySubject, readMindWatermark, type SummarySubject, type Tx } from '@annals/storage';
import { summarizeConversation } from './summarize-conversation.js';

/** A conversation, with what was known of it when it was last summarised. */
export interface SummaryMindSubject extends MindSubject {
  readonly conversation: SummarySubject;
  /** Whether nothing but messages came in since the live summaries were made. */
  readonly appendedOnly: boolean;
}

/** English has some four characters to a token; whether a summary is due needs no exact count. */
const CHARACTERS_PER_TOKEN = 4;

const TRIGGERS = { end: 'end', idle: 'idle', growth: 'batch' } as const;

/** Summaries of conversations, and the eviction of what they cover (docs/reference/summaries.md). */
export const summaryMind: MindFactory = {
  kind: 'summary',
  create: (context) => createSummaryStage(context),
};

function createSummaryStage({ infrastructure, caller, config, leaseMs }: MindContext): MindStage<SummaryMindSubject> {
  const { maxConversationEntries: maxEntries } = (config as MindContext['config'] & Config<'retention'>).retention;
  const { timeoutMs: callTimeoutMs } = config.llm;
  return {
    definition: summaryQueue,
    leaseMs,
    read: (tx, conversationId) => readSubject(tx, conversationId, infrastructure.clock.now()),
    run: (run, subject, attempt) =>
      summarizeConversation({ ...infrastructure, caller, maxEntries, callTimeoutMs }, run, subject, attempt),
  };
}

async function readSubject(tx: Tx, conversationId: string, now: number): Promise<SummaryMindSubject | null> {
  const [conversation, stored] = await Promise.all([
    loadSummarySubject(tx, conversationId),
    readMindWatermark(tx, 'summary', conversationId),
  ]);
  if (!conversation) return null;
  const watermark = summaryWatermark(conversation);
  // A failed run notes its watermark without having made anything.
  const appendedOnly = (stored?.failures ?? 0) === 0 && hasOnlyGrown(stored?.watermark ?? null, watermark);
  const whole = conversation.summaries.find(({ tier }) => tier === 'L3');
  const coveredTokens = whole?.coveredTokens ?? 0;
  const newTokens = Math.ceil(conversation.newLength / CHARACTERS_PER_TOKEN);
  const due = findDueSummary({
    now,
    endedAt: conversation.endedAt,
    lastMessageAt: conversation.lastMessageAt,
    tokens: coveredTokens + newTokens,
    coveredTokens,
    appendedOnly: appendedOnly || !whole,
  });
  return {
    userId: conversation.userId,
    watermark,
    trigger: due.type === 'due' ? TRIGGERS[due.reason] : 'idle',
    isOff: due.type === 'small',
    notBefore: due.type === 'wait' ? due.until : null,
    conversation,
    appendedOnly,
  };
}
