import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { type KnownUser, UNKNOWN_USER } from '@annals/domain';
import type { ConversationExcerpt, ModelPrompt } from '../provider/llm-request.js';
import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import { labelSpeakers } from './speaker-names.js';
import { orderMessages } from './order-messages.js';
import { DEFAULT_PROMPT_TEMPLATE, type PromptTemplate } from './prompt-template.js';
import { renderConversation } from './render-conversation.js';

export interface ExtractionPromptInput {
  /** The messages in the prompt; see `fitExcerpt`. */
  readonly excerpt: ConversationExcerpt;
  /** −1 to 1 by message id. */
  readonly moods?: ReadonlyMap<string, number>;
  readonly deltas?: ReadonlyMap<string, MoodDelta>;
  /** Who of the speakers is the user; default: the one of the messages without an actor. */
  readonly user?: KnownUser;
  /** Messages of several facts (docs/reference/extraction.md#second-extraction-pass-for-long-messages). */
  readonly longIds?: ReadonlySet<string>;
  /** Message ids in the order of the conversation; without it, ordered by `createdAt`, context first. */
  readonly order?: readonly string[];
  /** System text and schema; default: those of the shipped categories. */
  readonly template?: PromptTemplate;
}

/** The prompt of an extraction; `user` holds the conversation, with short names (`m1`, …; `c1`, … for context). */
export interface ExtractionPrompt extends ModelPrompt {
  /** Short name to message id: the messages an answer may cite. */
  readonly messageIds: ReadonlyMap<string, string>;
}

/**
 * Builds the prompt of one extraction, for any provider. System text and schema have the same bytes in every prompt of
 * a template, so that providers' prompt caches hit; only `user` differs.
 */
export function buildExtractionPrompt({
  excerpt,
  moods,
  deltas,
  user = UNKNOWN_USER,
  longIds,
  order,
  template = DEFAULT_PROMPT_TEMPLATE,
}: ExtractionPromptInput): ExtractionPrompt {
  const shown = orderMessages(excerpt, order);
  const labelSpeaker = labelSpeakers(
    shown.map(({ message }) => message),
    user,
  );
  const { lines, messageIds } = renderConversation({ shown, moods, deltas, labelSpeaker });
  const longNames = [...messageIds].filter(([, id]) => longIds?.has(id)).map(([name]) => name);
  const longMessages = longNames.length === 0 ? [] : [`long: ${longNames.join(', ')}`];
  return {
    version: template.version,
    system: template.system,
    user: ['<conversation>', ...lines, '</conversation>', ...longMessages].join('\n'),
    schemaName: RESPONSE_SCHEMA_VERSION,
    schema: template.schema,
    messageIds,
  };
}
