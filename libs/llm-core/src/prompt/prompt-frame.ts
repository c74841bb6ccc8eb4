import type { CategoryConfig } from '@annals/domain';
import { hash } from 'node:crypto';
import { type AskedCategory, listAsked } from './asked-categories.js';
import type { JsonSchema } from './extraction-prompt.js';
import { PROMPT_VERSION } from './prompt-version.js';
import { deriveResponseSchema } from './response-schema.js';
import { writeSystemText } from './system-text.js';

/** What is the same in every prompt of one configuration, byte for byte, so that providers' prompt caches can hit. */
export interface PromptFrame {
  /** `PROMPT_VERSION`; with other categories than the shipped ones a digest of the wording behind it. */
  readonly version: string;
  readonly system: string;
  readonly schema: JsonSchema;
}

const DIGEST_LENGTH = 8;

/** The frame of the shipped categories. */
export const DEFAULT_PROMPT_FRAME: PromptFrame = { version: PROMPT_VERSION, ...composeWords(listAsked()) };

/** The frame in which a model is asked for the categories of a configuration. */
export function createPromptFrame(config: CategoryConfig): PromptFrame {
  const words = composeWords(listAsked(config));
  if (words.system === DEFAULT_PROMPT_FRAME.system) return DEFAULT_PROMPT_FRAME;
  const digest = hash('sha256', JSON.stringify(words)).slice(0, DIGEST_LENGTH);
  return { version: `${PROMPT_VERSION}-${digest}`, ...words };
}

function composeWords(categories: readonly AskedCategory[]): Omit<PromptFrame, 'version'> {
  return {
    system: writeSystemText(categories),
    schema: deriveResponseSchema(categories.map(({ name }) => name)),
  };
}
