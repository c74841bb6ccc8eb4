import { type InvalidSentence, buildRewritePrompt, parseRewrite } from '@annals/llm-core';
import { requestOnce, type FollowUpAnswer, type FollowUpRequest } from '../request-once.js';

/** A sentence and its frame take about so many tokens. */
const TOKENS_PER_SENTENCE = 90;

/** New sentences by place, or why there are none. */
export type Rewrite = FollowUpAnswer<ReadonlyMap<number, string>>;

/** Has a model rewrite sentences, all in one call and once. Never throws. */
export function rewriteSentences(followUp: FollowUpRequest, broken: readonly InvalidSentence[]): Promise<Rewrite> {
  const prompt = buildRewritePrompt(broken);
  return requestOnce(followUp, {
    operation: 'writing',
    task: 'rewrite_memories',
    prompt,
    expectedOutputTokens: broken.length * TOKENS_PER_SENTENCE,
    read: ({ text }) => parseRewrite(text, prompt),
  });
}
