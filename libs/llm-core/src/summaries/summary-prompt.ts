import type { CitedMessage, SummaryKind, SummaryPromptName, SummarySentence } from '@annals/domain';
import { z } from 'zod';
import { neutralizeText } from '../prompt/neutralize-text.js';
import { toStrictSchema } from '../prompt/to-strict-schema.js';
import type { JsonSchema, ModelPrompt } from '../provider/llm-request.js';
import { SUMMARY_PROMPT_VERSION, SUMMARY_SYSTEM_TEXTS } from './summary-system-texts.js';

export interface SummaryPromptInput {
  readonly prompt: SummaryPromptName;
  readonly kind: SummaryKind;
  /** The summary so far; empty but for `ROLLING`. */
  readonly prior: readonly SummarySentence[];
  /** Sentences of summaries of parts, in order; empty but for `META` and `ROLLING`. */
  readonly parts: readonly SummarySentence[];
  /** In order; `speaker` as it is to be shown ("Ana", "user", "assistant"). */
  readonly messages: readonly CitedMessage[];
  readonly targetTokens: number;
}

/** Labels stand for messages: one for its own, or all those that a shown sentence cites. */
export interface SummaryPrompt extends ModelPrompt {
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** Output tokens after which an answer is cut off: the JSON around the sentences takes as much as they do. */
  readonly maxOutputTokens: number;
}

export const summaryAnswerSchema = z.object({
  sentences: z.array(z.object({ text: z.string(), sources: z.array(z.string()) })),
});

/** Derived once, so that every prompt contains the same object and the same bytes. */
const SUMMARY_SCHEMA: JsonSchema = toStrictSchema(z.toJSONSchema(summaryAnswerSchema));

/** English has some four words to five tokens; names and numbers need more. */
const WORDS_PER_TOKEN = 0.72;
const MIN_WORDS = 12;
const OUTPUT_PER_TOKEN = 2;
const OUTPUT_OVERHEAD = 150;

/** The prompt of one step of a summary plan (docs/reference/summaries.md#made-by-a-model). */
export function buildSummaryPrompt(input: SummaryPromptInput): SummaryPrompt {
  const { prompt, kind, prior, parts, messages, targetTokens } = input;
  const labels = new Map<string, readonly string[]>();
  const lines = [
    ...renderSentences('so_far', 'p', prior, labels),
    ...renderSentences('parts', 's', parts, labels),
    ...renderMessages(messages, labels),
    `Length: at most ${Math.max(MIN_WORDS, Math.round(targetTokens * WORDS_PER_TOKEN))} words.`,
  ];
  return {
    version: SUMMARY_PROMPT_VERSION,
    system: SUMMARY_SYSTEM_TEXTS[prompt][kind],
    user: lines.join('\n'),
    schemaName: 'conversation_summary_v1',
    schema: SUMMARY_SCHEMA,
    labels,
    maxOutputTokens: Math.ceil(targetTokens * OUTPUT_PER_TOKEN) + OUTPUT_OVERHEAD,
  };
}

type Labels = Map<string, readonly string[]>;

function renderSentences(tag: string, letter: string, sentences: readonly SummarySentence[], labels: Labels): string[] {
  if (sentences.length === 0) return [];
  const lines = sentences.map(({ text, messageIds }, position) => {
    labels.set(`${letter}${position + 1}`, messageIds);
    return `${letter}${position + 1}: ${neutralizeText(text)}`;
  });
  return [`<${tag}>`, ...lines, `</${tag}>`];
}

function renderMessages(messages: readonly CitedMessage[], labels: Labels): string[] {
  if (messages.length === 0) return [];
  const lines: string[] = ['<messages>'];
  let day = '';
  for (const [position, { id, speaker, content, createdAt }] of messages.entries()) {
    const messageDay = new Date(createdAt).toISOString().slice(0, 10);
    if (messageDay !== day) lines.push(messageDay);
    day = messageDay;
    labels.set(`m${position + 1}`, [id]);
    lines.push(`m${position + 1} ${neutralizeText(speaker)}: ${neutralizeText(content)}`);
  }
  return [...lines, '</messages>'];
}
