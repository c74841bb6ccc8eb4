import { repairJson } from '../parsing/repair-json.js';
import { LLMError } from '../provider/llm-error.js';
import { rewriteAnswerSchema, type RewritePrompt } from './rewrite-prompt.js';

/**
 * Parses the rewritten sentences, by their index in the prompt. Only names from the prompt count, each once; a sentence
 * that is omitted or null has no entry.
 * @throws LLMError `parsing` when the answer cannot be parsed
 */
export function parseRewrite(text: string, { names }: Pick<RewritePrompt, 'names'>): Map<number, string> {
  const json = repairJson(text);
  const answer = rewriteAnswerSchema.safeParse(json ? (JSON.parse(json.text) as unknown) : undefined);
  if (!answer.success) {
    throw new LLMError('parsing', 'The answer is not a JSON object with a list "sentences" that matches the schema.');
  }
  const sentences = new Map<number, string>();
  for (const { id, content } of answer.data.sentences) {
    const position = names.indexOf(id);
    if (position >= 0 && !sentences.has(position) && content) sentences.set(position, content.trim());
  }
  return sentences;
}
