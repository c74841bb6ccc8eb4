import type { ConversationExcerpt } from '../provider/llm-request.js';
import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import type { ExtractionPrompt } from './extraction-prompt.js';
import { PROMPT_VERSION } from './prompt-version.js';

export interface ExtractionPromptInput {
  readonly excerpt: ConversationExcerpt;
  /** −1 to 1 by message id. */
  readonly moods?: ReadonlyMap<string, number>;
  readonly deltas?: ReadonlyMap<string, MoodDelta>;
  /** How memories call the user; without it the actor's name or "The user". */
  readonly subjectName?: string;
  /** Message ids in the order of the conversation; without it `createdAt` decides, context first. */
  readonly order?: readonly string[];
}

export function buildExtractionPrompt(_input: ExtractionPromptInput): ExtractionPrompt {
  return {
    version: PROMPT_VERSION,
    system: '',
    user: '',
    schemaName: 'memory_llm_response_v1',
    schema: {},
    messageIds: new Map(),
  };
}
