import { isRetryable, LLMError, type LLMProvider, type LLMResponse, type RateLimitReport } from '@annals/llm-core';
import { buildCorpusRequest, type CorpusCase, CORPUS } from './corpus.js';
import { type AnswerScore, scoreAnswer } from './score-answer.js';

export interface CorpusOutcome {
  readonly scores: readonly AnswerScore[];
  /** Our own error messages of the calls that failed. */
  readonly failures: readonly string[];
  readonly spentMicroUsd: number;
  /** Headers of the last answer. */
  readonly rateLimits?: RateLimitReport;
}

export interface CorpusOptions {
  readonly maxOutputTokens: number;
  readonly streaming: boolean;
  readonly signal: AbortSignal;
}

export function selectCases(provider: LLMProvider): readonly CorpusCase[] {
  const { languages } = provider.getCapabilities();
  return CORPUS.filter(({ language }) => languages === 'any' || languages.includes(language));
}

/** Upper bound of the cost of sending the corpus, in micro-USD. */
export function estimateMaxCorpusCost(provider: LLMProvider, { maxOutputTokens, signal }: CorpusOptions): number {
  return selectCases(provider)
    .map((corpusCase) => provider.estimateMaxCost(buildCorpusRequest(corpusCase, maxOutputTokens, signal)))
    .reduce((total, cost) => total + cost, 0);
}

/** Sends one case after the other; stops at an error that is not retryable, and at the second error of any kind. */
export async function runCorpus(provider: LLMProvider, options: CorpusOptions): Promise<CorpusOutcome> {
  const scores: AnswerScore[] = [];
  const failures: string[] = [];
  let spentMicroUsd = 0;
  let rateLimits: RateLimitReport | undefined;
  for (const corpusCase of selectCases(provider)) {
    const request = buildCorpusRequest(corpusCase, options.maxOutputTokens, options.signal);
    try {
      const response: LLMResponse = await (options.streaming && provider.stream
        ? provider.stream(request, { onText: () => undefined })
        : provider.send(request));
      spentMicroUsd += response.costMicroUsd;
      rateLimits = response.rateLimits ?? rateLimits;
      scores.push(scoreAnswer(corpusCase, response, request.prompt.messageIds));
    } catch (error) {
      if (!(error instanceof LLMError)) throw error;
      spentMicroUsd += error.costMicroUsd ?? 0;
      failures.push(error.message);
      if (!isRetryable(error.type) || failures.length > 1) break;
    }
  }
  return { scores, failures, spentMicroUsd, ...(rateLimits ? { rateLimits } : {}) };
}
