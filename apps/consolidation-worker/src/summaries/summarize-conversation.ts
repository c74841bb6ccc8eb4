import { summaryQueue } from '@annals/contracts';
import { type Pause, planSummary, type SummarySentence, type SummaryStep } from '@annals/domain';
import { loadTokenCounter, SUMMARY_PROMPT_VERSION, type TokenCounter } from '@annals/llm-core';
import { SUMMARY_RULES } from '@annals/local-provider';
import type { Infrastructure, JobAttempt, MindCaller, MindCounts, MindOutcome, MindRun } from '@annals/runtime';
import { hasTimeForQuestion, randomBytes } from '@annals/runtime';
import {
  allOf,
  evictFromConversation,
  loadCitedMessages,
  loadSummarizableMessages,
  loadSummarySentences,
  type MadeSummary,
  type SummarizableMessage,
  writeSummaries,
} from '@annals/storage';
import { createSourceBook, type SourceBook } from './source-book.js';
import type { SummaryMindSubject } from './summary-mind.js';
import { summarizeByModel, summarizeByRules, type MadeText } from './summarize-step.js';

/** Steps with a model of one run: the rest is made by the next one, after the others who wait. */
const MAX_STEPS = 12;

export interface SummaryDependencies extends Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'metrics'> {
  readonly pause: Pause;
  /** Null: no model is configured. */
  readonly caller: MindCaller | null;
  readonly maxEntries: number;
  /** Timeout of one call of a model, in ms. */
  readonly callTimeoutMs: number;
}

/**
 * Makes the summaries of a conversation that are due, and evicts what they cover. Each step reads messages or summaries
 * of earlier steps; what was made before a model has to wait, or fails, is written as a part.
 */
export async function summarizeConversation(
  deps: SummaryDependencies,
  run: MindRun,
  { conversation, appendedOnly }: SummaryMindSubject,
  attempt: JobAttempt,
): Promise<MindOutcome> {
  const startedMs = deps.clock.monotonicNow();
  const count = await loadTokenCounter();
  const chunks = conversation.summaries.filter(({ tier }) => tier === 'L1');
  const summarizedThrough = Math.max(-1, ...chunks.map(({ toSeq }) => toSeq));
  const whole = conversation.summaries.find(({ tier }) => tier === 'L3');
  // A whole that was restored ends before the chunks do: then it is compared with the messages themselves.
  const isTrusted = appendedOnly && (whole?.toSeq ?? Infinity) >= summarizedThrough;
  const afterSeq = isTrusted ? summarizedThrough : -1;
  const messages = await deps.database.readTenant(run.work.tenantId, (tx) =>
    loadSummarizableMessages(tx, conversation.conversationId, afterSeq),
  );
  const counted = await countMessages(messages, count, deps.pause);
  const plan = planSummary({
    kind: conversation.kind,
    recipe: deps.caller ? SUMMARY_PROMPT_VERSION : SUMMARY_RULES,
    messages: counted,
    stored: conversation.summaries,
    appendedOnly: isTrusted,
  });
  const book = await openSourceBook(deps, run.work.tenantId, plan.steps, { conversation, messages });
  const made: MadeSummary[] = [];
  let rejected = 0;
  let rest: Extract<MindOutcome, { outcome: 'done' }>['rest'];
  for (const step of plan.steps) {
    attempt.signal.throwIfAborted();
    if (deps.caller && made.length > 0 && (made.length === MAX_STEPS || !hasTimeForStep(deps, startedMs))) {
      rest = { ends: 'deferred', reason: 'not_due', until: deps.clock.now() };
      break;
    }
    const material = book.read(step);
    const text = deps.caller
      ? await summarizeByModel({ ...deps, count, caller: deps.caller }, run, step, material, attempt)
      : await summarizeByRules({ ...deps, count }, step, material);
    if (text.outcome !== 'made') {
      if (made.length === 0) return text;
      // A failure counts in the next run, which begins with this step.
      rest = text.outcome === 'wait' ? text.ending : { ends: 'deferred', reason: 'not_due', until: deps.clock.now() };
      break;
    }
    rejected += text.rejected;
    const summary = toSummary(deps, conversation, step, text, count, book);
    book.add(step, summary.sentences);
    made.push(summary);
  }
  return {
    outcome: 'done',
    counts: { summaries: made.length, rejected_sentences: rejected },
    latest: { messages: messages.length },
    ...(rest ? { rest } : {}),
    async effect(tx): Promise<MindCounts> {
      const now = deps.clock.now();
      const tombstones = rest ? [] : plan.tombstones;
      await writeSummaries(tx, conversation.conversationId, { made, tombstones, now });
      if (rest) return {};
      const dependencies = { clock: deps.clock, ids: deps.ids, randomBytes };
      const evicted = await evictFromConversation(tx, conversation, deps.maxEntries, dependencies);
      return {
        tombstones: tombstones.length,
        evicted_turns: evicted.turns,
        evicted_facts: evicted.facts,
        entries_above_limit: evicted.excess + evicted.waiting,
      };
    },
    report: (written) => report(deps, made, written),
  };
}

function hasTimeForStep({ clock, callTimeoutMs }: SummaryDependencies, startedMs: number): boolean {
  const elapsedMs = clock.monotonicNow() - startedMs;
  return hasTimeForQuestion({ elapsedMs, callTimeoutMs, jobTimeoutMs: summaryQueue.timeoutMs });
}

async function countMessages(messages: readonly SummarizableMessage[], count: TokenCounter, pause: Pause) {
  const counted = [];
  for (const { id, seq, content } of messages) {
    counted.push({ id, seq, tokens: count(content) });
    await pause();
  }
  return counted;
}

/** Everything that the steps read: messages, sentences of stored summaries, and the messages that these cite. */
async function openSourceBook(
  { database }: SummaryDependencies,
  tenantId: string,
  steps: readonly SummaryStep[],
  loaded: Pick<SummaryMindSubject, 'conversation'> & { readonly messages: readonly SummarizableMessage[] },
): Promise<SourceBook> {
  const storedIds = steps.flatMap(({ inputs }) =>
    inputs.flatMap((input) => (input.type === 'summary' && input.id !== null ? [input.id] : [])),
  );
  const known = new Set(loaded.messages.map(({ id }) => id));
  const { sentences, cited } = await database.readTenant(tenantId, async (tx) => {
    const [stored] = await allOf([loadSummarySentences(tx, storedIds)]);
    const ids = new Set([...stored.values()].flat().flatMap(({ messageIds }) => messageIds));
    return {
      sentences: stored,
      cited: await loadCitedMessages(
        tx,
        [...ids].filter((id) => !known.has(id)),
      ),
    };
  });
  const { userId, names } = loaded.conversation;
  return createSourceBook({ user: { id: userId, names }, messages: [...cited, ...loaded.messages], sentences });
}

function toSummary(
  { ids }: SummaryDependencies,
  conversation: SummaryMindSubject['conversation'],
  step: SummaryStep,
  text: MadeText,
  count: TokenCounter,
  book: SourceBook,
): MadeSummary {
  const sentences: readonly SummarySentence[] = text.sentences;
  return {
    id: ids.next(),
    step,
    sentences,
    tokens: count(sentences.map((sentence) => sentence.text).join(' ')),
    provider: text.provider,
    model: text.model,
    lastSaidAt: book.findSaidAt(step.toSeq) ?? conversation.lastMessageAt,
  };
}

function report({ metrics }: SummaryDependencies, made: readonly MadeSummary[], written: MindCounts): void {
  metrics.add('memory_llm_evicted_total', written['evicted_turns'] ?? 0, { entry: 'turn' });
  metrics.add('memory_llm_evicted_total', written['evicted_facts'] ?? 0, { entry: 'fact' });
  for (const { step, tokens, provider } of made) {
    metrics.inc('memory_llm_summaries_total', { tier: step.tier, provider });
    metrics.observe('memory_llm_summary_compression_ratio', tokens / Math.max(1, step.coveredTokens), {
      tier: step.tier,
    });
  }
}
