import { type BrokenSentence, buildRewritePrompt, readRewrite } from '@annals/llm-core';
import { askOnce, type SecondAnswer, type SecondQuestion } from '../ask-once.js';

/** A sentence and its frame take about so many tokens. */
const TOKENS_PER_SENTENCE = 90;

/** New sentences by place, or why there are none. */
export type Rewrite = SecondAnswer<ReadonlyMap<number, string>>;

/** Has a model rewrite sentences, all in one call and once. Never throws. */
export function rewriteSentences(question: SecondQuestion, broken: readonly BrokenSentence[]): Promise<Rewrite> {
  const prompt = buildRewritePrompt(broken);
  return askOnce(question, {
    operation: 'writing',
    task: 'rewrite_memories',
    prompt,
    expectedOutputTokens: broken.length * TOKENS_PER_SENTENCE,
    read: ({ text }) => readRewrite(text, prompt),
  });
}
