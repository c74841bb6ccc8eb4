import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { rewriteAnswerSchema, type RewritePrompt } from './rewrite-prompt.js';

/**
 * The new sentences by their places in the prompt. Only names that were shown count, each once; of a sentence that is
 * left out or given up there is none.
 * @throws LLMError `parsing`, when the answer cannot be understood
 */
export function parseRewrite(text: string, { names }: Pick<RewritePrompt, 'names'>): Map<number, string> {
  const json = repairJson(text);
  const answer = rewriteAnswerSchema.safeParse(json ? (JSON.parse(json.text) as unknown) : undefined);
  if (!answer.success) {
    throw new LLMError('parsing', 'The answer is not a JSON object with a list "sentences" of the agreed shape.');
  }
  const sentences = new Map<number, string>();
  for (const { id, content } of answer.data.sentences) {
    const position = names.indexOf(id);
    if (position >= 0 && !sentences.has(position) && content) sentences.set(position, content.trim());
  }
  return sentences;
}
