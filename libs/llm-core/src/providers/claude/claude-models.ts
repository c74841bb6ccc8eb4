import type { OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages';

/** The official API, without `/v1`. */
export const CLAUDE_URL = 'https://api.anthropic.com';

/** Limits and parameters of a model family (provider facts §1.1, §2.2). */
export interface ClaudeModelFacts {
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** The minimum that the family allows: thinking is billed and not needed. Absent: not sent. */
  readonly thinking?: ThinkingConfigParam;
  readonly effort?: NonNullable<OutputConfig['effort']>;
}

const FAMILIES: readonly (readonly [RegExp, ClaudeModelFacts])[] = [
  [
    /^claude-haiku-5/,
    { maxInputTokens: 1_000_000, maxOutputTokens: 128_000, thinking: { type: 'disabled' }, effort: 'low' },
  ],
  // Thinking cannot be disabled here, but happens only between tool calls, of which there are none.
  [
    /^claude-sonnet-5/,
    { maxInputTokens: 1_000_000, maxOutputTokens: 128_000, thinking: { type: 'between_tools' }, effort: 'low' },
  ],
  // Always thinks.
  [/^claude-opus-5/, { maxInputTokens: 1_000_000, maxOutputTokens: 128_000, effort: 'low' }],
];

/** Older and unknown models think only when requested. */
const OTHER: ClaudeModelFacts = { maxInputTokens: 200_000, maxOutputTokens: 64_000 };

export function findClaudeModel(model: string): ClaudeModelFacts {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? OTHER;
}
