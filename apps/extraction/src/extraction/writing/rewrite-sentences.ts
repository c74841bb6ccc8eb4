import { type InvalidSentence, buildRewritePrompt, parseRewrite } from '@annals/llm-core';
import { requestOnce, type FollowUpAnswer, type FollowUpRequest } from '../request-once.js';

/** Approximate output tokens of a sentence with its JSON. */
const TOKENS_PER_SENTENCE = 90;

/** New sentences by index, or why there are none. */
export type Rewrite = FollowUpAnswer<ReadonlyMap<number, string>>;

/** Lets the model rewrite sentences, all in one call without retries. Never throws. */
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
