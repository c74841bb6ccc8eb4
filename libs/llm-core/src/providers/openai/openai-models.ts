/** Limits and parameters of a model family; compatible servers run other models too. */
export interface OpenAIModelFacts {
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Reasoning is billed as output and not needed for extraction (provider facts §1.2). */
  readonly reasoningEffort?: 'none';
}

const FAMILIES: readonly (readonly [RegExp, OpenAIModelFacts])[] = [
  [/^gpt-6/, { maxInputTokens: 922_000, maxOutputTokens: 128_000, reasoningEffort: 'none' }],
  [/^gpt-5\.6/, { maxInputTokens: 922_000, maxOutputTokens: 128_000, reasoningEffort: 'none' }],
];

/** Conservative limits, for models on self-hosted servers. */
const OTHER: OpenAIModelFacts = { maxInputTokens: 32_000, maxOutputTokens: 8_000 };

export function findOpenAIModel(model: string): OpenAIModelFacts {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? OTHER;
}
