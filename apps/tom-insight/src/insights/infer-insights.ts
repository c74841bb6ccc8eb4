import {
  checkInsights,
  type CheckedInsight,
  chooseInsightInput,
  type DraftedInsight,
  type EvidenceReference,
  ENERGY_PRICES,
  identifySpeakers,
  type InsightMessage,
  type KnownUser,
  pauseForEventLoop,
  runInSlices,
  type ShownEvidence,
} from '@annals/domain';
import {
  buildInsightPrompt,
  labelSpeakers,
  loadMoodScorer,
  MAX_INSIGHT_OUTPUT_TOKENS,
  parseInsights,
} from '@annals/llm-core';
import { findLocalInsights, LOCAL_RULES } from '@annals/local-provider';
import type { JobAttempt, MindCaller, MindRun, MindSetback } from '@annals/runtime';
import type { StoredInsightSources } from '@annals/storage';

/** What a run has read. */
export interface InsightReading extends StoredInsightSources {
  readonly user: KnownUser;
}

/** What was inferred, and checked. */
export interface InferredInsights {
  readonly outcome: 'inferred';
  readonly provider: string;
  readonly model: string;
  /** Of the answer, before the checks. */
  readonly drafted: number;
  readonly insights: readonly CheckedInsight[];
  /** All that was read for them, whether it can be cited or not. */
  readonly read: readonly EvidenceReference[];
}

interface Draft {
  readonly drafts: readonly DraftedInsight[];
  readonly shown: readonly ShownEvidence[];
  readonly read: readonly EvidenceReference[];
  readonly provider: string;
  readonly model: string;
}

/** Infers insights by one question to a model, or by rules when none is configured. */
export async function inferInsights(
  reading: InsightReading,
  run: MindRun,
  caller: MindCaller | null,
  attempt: JobAttempt,
): Promise<InferredInsights | MindSetback> {
  const drafted = caller ? await askModel(reading, run, caller, attempt) : await applyRules(reading, attempt);
  if ('outcome' in drafted) return drafted;
  const { drafts, shown, read, provider, model } = drafted;
  const checked = checkInsights(drafts, { shown, names: reading.user.names });
  const insights = checked.flatMap((check) => (check.outcome === 'refused' ? [] : [check.insight]));
  return { outcome: 'inferred', provider, model, drafted: drafts.length, insights, read };
}

async function askModel(
  { messages, memories, user }: InsightReading,
  run: MindRun,
  caller: MindCaller,
  { signal, withoutSlot }: JobAttempt,
): Promise<Draft | MindSetback> {
  const identify = identifySpeakers(user, messages);
  const label = labelSpeakers(messages, user);
  const said = messages.map((message): InsightMessage => {
    const isUser = message.role === 'user' && identify(message).isUser;
    return { id: message.id, isUser, speaker: label(message), content: message.content, saidAt: message.saidAt };
  });
  const latest = new Set(messages.filter((message) => message.isOfLatestConversation).map(({ id }) => id));
  const conversation = said.filter(({ id }) => latest.has(id));
  const input = chooseInsightInput({ messages: said, conversation, memories });
  const prompt = buildInsightPrompt(input, user.names);
  const { shown } = prompt;
  const read = [
    ...[...input.activity, ...input.snippet].map(({ id }) => ({ kind: 'message' as const, id })),
    ...input.memories.map(({ id }) => ({ kind: 'memory' as const, id })),
  ];
  if (shown.length === 0) return { drafts: [], shown, read, ...BY_RULES };
  const answer = await caller.call({
    run,
    operation: 'insights',
    task: 'infer_insights',
    prompt,
    maxOutputTokens: MAX_INSIGHT_OUTPUT_TOKENS,
    // As little variation as a model allows.
    temperature: 0,
    energy: ENERGY_PRICES.insight,
    parse: parseInsights,
    signal,
    withoutSlot,
  });
  if (answer.outcome !== 'answered') return answer;
  const { value, provider } = answer;
  return { drafts: value.insights, shown, read, provider: provider.name, model: provider.model };
}

const BY_RULES = { provider: 'local', model: LOCAL_RULES };

/** See docs/reference/insights.md#insights-without-a-model. */
async function applyRules({ messages, user }: InsightReading, { signal }: JobAttempt): Promise<Draft> {
  const conversation = messages.map(({ saidAt, ...message }) => ({ ...message, createdAt: saidAt }));
  const scoreMood = await loadMoodScorer();
  const found = await runInSlices(findLocalInsights(conversation, { user, scoreMood }), async () => {
    signal.throwIfAborted();
    await pauseForEventLoop();
  });
  const shown = messages.map(({ id, content, saidAt }): ShownEvidence => {
    return { label: id, kind: 'message', id, content, saidAt, messageId: id };
  });
  const drafts = found.map(({ messageIds, ...insight }) => ({ ...insight, evidence: messageIds }));
  return { drafts, shown, read: shown, ...BY_RULES };
}
