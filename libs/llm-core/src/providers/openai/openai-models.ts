/** What is known about a model; compatible servers run models that nobody here has heard of. */
export interface OpenAIModelFacts {
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Reasoning is billed as output and extraction needs none (provider facts §1.2). */
  readonly reasoningEffort?: 'none';
}

const FAMILIES: readonly (readonly [RegExp, OpenAIModelFacts])[] = [
  [/^gpt-6/, { maxInputTokens: 922_000, maxOutputTokens: 128_000, reasoningEffort: 'none' }],
  [/^gpt-5\.6/, { maxInputTokens: 922_000, maxOutputTokens: 128_000, reasoningEffort: 'none' }],
];

/** Cautious, for models on a server of one's own. */
const OTHER: OpenAIModelFacts = { maxInputTokens: 32_000, maxOutputTokens: 8_000 };

export function findOpenAIModel(model: string): OpenAIModelFacts {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? OTHER;
}
