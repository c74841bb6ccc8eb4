import type { CategoryConfig } from '@annals/domain';
import { createPromptTemplate, type PromptTemplate } from '@annals/llm-core';

/** Which categories there are for a batch, and how a model is asked for them. */
export interface CategoryPrompt {
  readonly categories: CategoryConfig;
  readonly template: PromptTemplate;
}

/** Reads how to ask now: composed once for every content of the file that was in force. */
export function createCategoryPromptReader(source: { readonly current: CategoryConfig }): () => CategoryPrompt {
  let categoryPrompt: CategoryPrompt | null = null;
  return () => {
    const { current } = source;
    if (categoryPrompt?.categories !== current)
      categoryPrompt = { categories: current, template: createPromptTemplate(current) };
    return categoryPrompt;
  };
}
