import type { CategoryConfig } from '@annals/domain';
import { createPromptTemplate, type PromptTemplate } from '@annals/llm-core';

/** The categories of a batch, and the prompt template that contains them. */
export interface CategoryPrompt {
  readonly categories: CategoryConfig;
  readonly template: PromptTemplate;
}

/** Returns a reader of the current prompt, which is composed once per version of the categories file. */
export function createCategoryPromptReader(source: { readonly current: CategoryConfig }): () => CategoryPrompt {
  let categoryPrompt: CategoryPrompt | null = null;
  return () => {
    const { current } = source;
    if (categoryPrompt?.categories !== current)
      categoryPrompt = { categories: current, template: createPromptTemplate(current) };
    return categoryPrompt;
  };
}
