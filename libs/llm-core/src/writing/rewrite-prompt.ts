import type { CheckedStatement, WritingRule } from '@annals/domain';
import { z } from 'zod';
import type { JsonSchema, ModelPrompt } from '../prompt/extraction-prompt.js';
import { labelSpeakers } from '../prompt/label-speakers.js';
import { neutralizeText } from '../prompt/neutralize-text.js';
import { toStrictSchema } from '../prompt/to-strict-schema.js';
import type { ConversationMessage } from '../provider/llm-request.js';
import { REWRITE_PROMPT_VERSION, REWRITE_SYSTEM_TEXT, RULE_DESCRIPTIONS } from './rewrite-text.js';

/** A sentence that violates writing constraints. */
export interface InvalidSentence extends CheckedStatement {
  readonly rules: readonly WritingRule[];
  /** The quote that the sentence is based on, and its message. */
  readonly quote: string;
  readonly message: Pick<ConversationMessage, 'role' | 'actorId' | 'createdAt'>;
}

/** Names are positions: `s1` is the first sentence. */
export interface RewritePrompt extends ModelPrompt {
  readonly names: readonly string[];
}

export const rewriteAnswerSchema = z.object({
  sentences: z.array(z.object({ id: z.string(), content: z.string().nullish() })),
});

const REWRITE_SCHEMA: JsonSchema = toStrictSchema(
  z.toJSONSchema(z.object({ sentences: z.array(z.object({ id: z.string(), content: z.string().optional() })) })),
);

/**
 * Builds one prompt for all sentences of an answer that violate the writing constraints
 * (docs/reference/writing-constraints.md#rewrite-trim-reject).
 */
export function buildRewritePrompt(sentences: readonly InvalidSentence[]): RewritePrompt {
  const labelSpeaker = labelSpeakers(
    sentences.map(({ message }) => message),
    undefined,
  );
  const lines = sentences.map(({ content, type, rules, quote, message }, position) => {
    const about = `${type}, ${new Date(message.createdAt).toISOString().slice(0, 10)}, ${labelSpeaker(message)}`;
    const violations = rules.map((rule) => RULE_DESCRIPTIONS[rule]).join('; ');
    return `s${position + 1} (${about}; ${violations}): ${neutralizeText(content)} from: "${neutralizeText(quote)}"`;
  });
  return {
    version: REWRITE_PROMPT_VERSION,
    system: REWRITE_SYSTEM_TEXT,
    user: ['<sentences>', ...lines, '</sentences>'].join('\n'),
    schemaName: 'memory_rewrite_v1',
    schema: REWRITE_SCHEMA,
    names: sentences.map((_sentence, position) => `s${position + 1}`),
  };
}
