import { groundMemory } from '@annals/domain';
import { LLMError, type LLMResponse, parseAnswer } from '@annals/llm-core';
import { listCorpusMessages } from './build-corpus-request.js';
import type { CorpusCase } from './corpus.js';

/** Quality of one answer, in counts. */
export interface AnswerScore {
  readonly isReadable: boolean;
  readonly repairs: number;
  readonly memories: number;
  /** Memories whose quotes occur in the messages they cite. */
  readonly grounded: number;
  readonly facts: number;
  readonly foundFacts: number;
  /** Patterns of the case's mistakes that a memory matches. */
  readonly mistakes: number;
}

/** Scores an answer against its case: parseable, grounded in users' messages, complete, nothing invented. */
export function scoreAnswer(
  corpusCase: CorpusCase,
  { text, finishReason }: Pick<LLMResponse, 'text' | 'finishReason'>,
  messageIds: ReadonlyMap<string, string>,
): AnswerScore {
  const facts = corpusCase.facts.length;
  try {
    const answer = parseAnswer(text, { truncated: finishReason === 'length', messageIds });
    const byId = new Map(listCorpusMessages(corpusCase).map((message) => [message.id, message]));
    const contents = answer.memories.map(({ content }) => content);
    const containsFact = (patterns: readonly RegExp[]) =>
      contents.some((content) => patterns.every((pattern) => pattern.test(content)));
    return {
      isReadable: true,
      repairs: answer.repairs,
      memories: answer.memories.length,
      grounded: answer.memories.filter((memory) => groundMemory(memory, byId).grounded).length,
      facts,
      foundFacts: corpusCase.facts.filter(containsFact).length,
      mistakes: corpusCase.mistakes.filter((mistake) => contents.some((content) => mistake.test(content))).length,
    };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { isReadable: false, repairs: 0, memories: 0, grounded: 0, facts, foundFacts: 0, mistakes: 0 };
  }
}

export function addScores(scores: readonly AnswerScore[]): Omit<AnswerScore, 'isReadable'> & { unreadable: number } {
  const sum = (pick: (score: AnswerScore) => number) => scores.reduce((total, score) => total + pick(score), 0);
  return {
    unreadable: sum(({ isReadable }) => (isReadable ? 0 : 1)),
    repairs: sum(({ repairs }) => repairs),
    memories: sum(({ memories }) => memories),
    grounded: sum(({ grounded }) => grounded),
    facts: sum(({ facts }) => facts),
    foundFacts: sum(({ foundFacts }) => foundFacts),
    mistakes: sum(({ mistakes }) => mistakes),
  };
}
