import { groundMemory } from '@annals/domain';
import { LLMError, type LLMResponse, parseAnswer } from '@annals/llm-core';
import { type CorpusCase, listCorpusMessages } from './corpus.js';

export interface AnswerScore {
  /** 1 for an answer that could not be parsed. */
  readonly unreadable: number;
  readonly repairs: number;
  readonly memories: number;
  /** Memories whose quotes occur in the messages they cite. */
  readonly grounded: number;
  readonly facts: number;
  readonly foundFacts: number;
  /** Patterns of the case's mistakes that a memory matches. */
  readonly mistakes: number;
}

const NO_ANSWER = { unreadable: 0, repairs: 0, memories: 0, grounded: 0, facts: 0, foundFacts: 0, mistakes: 0 };

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
      unreadable: 0,
      repairs: answer.repairs,
      memories: answer.memories.length,
      grounded: answer.memories.filter((memory) => groundMemory(memory, byId).grounded).length,
      facts,
      foundFacts: corpusCase.facts.filter(containsFact).length,
      mistakes: corpusCase.mistakes.filter((mistake) => contents.some((content) => mistake.test(content))).length,
    };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { ...NO_ANSWER, unreadable: 1, facts };
  }
}

export function addScores(scores: readonly AnswerScore[]): AnswerScore {
  const counts = Object.keys(NO_ANSWER) as (keyof AnswerScore)[];
  const sum = (count: keyof AnswerScore) => scores.reduce((total, score) => total + score[count], 0);
  return Object.fromEntries(counts.map((count) => [count, sum(count)])) as Record<keyof AnswerScore, number>;
}
