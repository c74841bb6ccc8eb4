import {
  type CheckedSentences,
  checkSentences,
  ENERGY_PRICES,
  fitSentences,
  type Pause,
  runInSlices,
  settleSentences,
  type SummarySentence,
  type SummaryStep,
} from '@annals/domain';
import { buildSummaryPrompt, describeSummaryProblem, parseSummary, type TokenCounter } from '@annals/llm-core';
import { summarizeMessages } from '@annals/local-provider';
import {
  type Infrastructure,
  type JobAttempt,
  type MindCaller,
  type MindRun,
  type MindSetback,
  rejectAnswer,
} from '@annals/runtime';
import type { StepMaterial } from './source-book.js';

interface StepDependencies extends Pick<Infrastructure, 'metrics'> {
  readonly pause: Pause;
  readonly count: TokenCounter;
}

/** A summary that was made and checked. */
export interface MadeText {
  readonly outcome: 'made';
  readonly sentences: readonly SummarySentence[];
  /** Sentences that were not let through. */
  readonly rejected: number;
  readonly provider: string;
  readonly model: string | null;
}

/** Models count roughly: what is longer loses the sentences with the fewest facts. */
const TOLERANCE = 1.1;

/** One step by rules. What the checks do not let through is left out, as of a model. */
export async function summarizeByRules(
  deps: StepDependencies,
  step: SummaryStep,
  { prior, parts, messages, user, cited }: StepMaterial,
): Promise<MadeText> {
  const { prompt, kind, targetTokens } = step;
  const told = await runInSlices(
    summarizeMessages({
      prompt,
      kind,
      sentences: [...prior, ...parts],
      messages: [...messages],
      user,
      targetTokens,
      count: deps.count,
    }),
    deps.pause,
  );
  const checked = await runInSlices(checkSentences(told, cited), deps.pause);
  report(deps, checked);
  return {
    outcome: 'made',
    sentences: checked.kept,
    rejected: checked.rejected.length,
    provider: 'local',
    model: null,
  };
}

/**
 * One step by a model: each sentence is checked against the messages that it cites, what is wrong is sent back once, and
 * what is wrong still is left out. An answer without any right sentence is a failure.
 */
export async function summarizeByModel(
  deps: StepDependencies & { readonly caller: MindCaller },
  run: MindRun,
  step: SummaryStep,
  { prior, parts, messages, cited }: StepMaterial,
  { signal, withoutSlot }: JobAttempt,
): Promise<MadeText | MindSetback> {
  const { kind, targetTokens } = step;
  const shown = messages.map(({ id }) => cited.get(id)!);
  const prompt = buildSummaryPrompt({ prompt: step.prompt, kind, prior, parts, messages: shown, targetTokens });
  const checks = new Map<readonly SummarySentence[], CheckedSentences>();
  const check = async (sentences: readonly SummarySentence[]) => {
    const checked = checks.get(sentences) ?? (await runInSlices(checkSentences(sentences, cited), deps.pause));
    checks.set(sentences, checked);
    return checked;
  };
  const answer = await deps.caller.call({
    run,
    operation: 'summary',
    task: 'summarize_conversation',
    prompt,
    maxOutputTokens: prompt.maxOutputTokens,
    energy: ENERGY_PRICES.summary_call,
    signal,
    withoutSlot,
    parse: (text) => parseSummary(text, prompt),
    async describeProblem(sentences) {
      const checked = await check(sentences);
      const tokens = deps.count(sentences.map(({ text }) => text).join(' '));
      if (sentences.length === 0) return 'The list "sentences" is empty: tell what the lines say.';
      return describeSummaryProblem(checked, { tokens, targetTokens });
    },
  });
  if (answer.outcome !== 'answered') return answer;
  const last = await check(answer.value);
  const first = answer.first === null ? last : await check(answer.first);
  report(deps, last);
  const settled = settleSentences(first, last);
  if (settled.length === 0) return rejectAnswer(run, answer) ?? { outcome: 'failed', code: 'ungrounded' };
  const { name: provider, model } = answer.provider;
  return {
    outcome: 'made',
    sentences: fitSentences(settled, targetTokens * TOLERANCE, deps.count),
    rejected: last.rejected.length,
    provider,
    model,
  };
}

function report({ metrics }: StepDependencies, { rejected }: CheckedSentences): void {
  for (const { fault } of rejected) metrics.inc('memory_llm_summary_sentences_rejected_total', { fault });
}
