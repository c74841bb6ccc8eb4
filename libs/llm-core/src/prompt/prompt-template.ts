import type { CategoryConfig } from '@annals/domain';
import { hash } from 'node:crypto';
import type { JsonSchema } from '../provider/llm-request.js';
import { listPromptCategories, type PromptCategory } from './prompt-categories.js';
import { deriveResponseSchema } from './response-schema.js';
import { renderSystemText } from './system-text.js';

/** Version of the extraction prompt; must be raised with every change of its system text, schema or line format. */
export const PROMPT_VERSION = 'extraction-6';

/** The same bytes in every prompt of one configuration, so that providers' prompt caches can hit. */
export interface PromptTemplate {
  /** `PROMPT_VERSION`, followed by a digest of the wording if the categories are not the shipped ones. */
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

/** Creates the template for the categories of a configuration. */
export function createPromptTemplate(config: CategoryConfig): PromptTemplate {
  const wording = composeWording(listPromptCategories(config));
  if (wording.system === DEFAULT_PROMPT_TEMPLATE.system) return DEFAULT_PROMPT_TEMPLATE;
  const digest = hash('sha256', JSON.stringify(wording)).slice(0, DIGEST_LENGTH);
  return { version: `${PROMPT_VERSION}-${digest}`, ...wording };
}

function composeWording(categories: readonly PromptCategory[]): Omit<PromptTemplate, 'version'> {
  return {
    system: renderSystemText(categories),
    schema: deriveResponseSchema(categories.map(({ name }) => name)),
  };
}
