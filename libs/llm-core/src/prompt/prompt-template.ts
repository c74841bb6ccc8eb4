import type { CategoryConfig } from '@annals/domain';
import { hash } from 'node:crypto';
import { type PromptCategory, listPromptCategories } from './prompt-categories.js';
import type { JsonSchema } from './extraction-prompt.js';
import { PROMPT_VERSION } from './prompt-version.js';
import { deriveResponseSchema } from './response-schema.js';
import { renderSystemText } from './system-text.js';

/** What is the same in every prompt of one configuration, byte for byte, so that providers' prompt caches can hit. */
export interface PromptTemplate {
  /** `PROMPT_VERSION`; with other categories than the shipped ones a digest of the wording behind it. */
  readonly version: string;
  readonly system: string;
  readonly schema: JsonSchema;
}

const DIGEST_LENGTH = 8;

/** The template of the shipped categories. */
export const DEFAULT_PROMPT_TEMPLATE: PromptTemplate = {
  version: PROMPT_VERSION,
  ...composeWording(listPromptCategories()),
};

/** The template in which a model is asked for the categories of a configuration. */
export function createPromptTemplate(config: CategoryConfig): PromptTemplate {
  const words = composeWording(listPromptCategories(config));
  if (words.system === DEFAULT_PROMPT_TEMPLATE.system) return DEFAULT_PROMPT_TEMPLATE;
  const digest = hash('sha256', JSON.stringify(words)).slice(0, DIGEST_LENGTH);
  return { version: `${PROMPT_VERSION}-${digest}`, ...words };
}

function composeWording(categories: readonly PromptCategory[]): Omit<PromptTemplate, 'version'> {
  return {
    system: renderSystemText(categories),
    schema: deriveResponseSchema(categories.map(({ name }) => name)),
  };
}
