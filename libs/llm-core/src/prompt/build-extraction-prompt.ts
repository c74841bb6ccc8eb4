import type { ConversationExcerpt } from '../provider/llm-request.js';
import type { MoodDelta } from '../selection/detect-mood-deltas.js';
import type { ExtractionPrompt } from './extraction-prompt.js';
import { labelSpeakers } from './label-speakers.js';
import { orderMessages } from './order-messages.js';
import { DEFAULT_PROMPT_TEMPLATE, type PromptTemplate } from './prompt-template.js';
import { renderConversation } from './render-conversation.js';
import { RESPONSE_SCHEMA_NAME } from './response-schema.js';

export interface ExtractionPromptInput {
  /** The messages in the prompt; see `fitExcerpt`. */
  readonly excerpt: ConversationExcerpt;
  /** −1 to 1 by message id. */
  readonly moods?: ReadonlyMap<string, number>;
  readonly deltas?: ReadonlyMap<string, MoodDelta>;
  /** Name of the user in memories; without it, the actor's name or "The user". */
  readonly subjectName?: string;
  /**
   * Ids of messages that may contain several facts
   * (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
   */
  readonly longIds?: ReadonlySet<string>;
  /** Message ids in the order of the conversation; without it, ordered by `createdAt`, context first. */
  readonly order?: readonly string[];
  /** System text and schema; default: those of the shipped categories. */
  readonly template?: PromptTemplate;
}

/**
 * Builds the prompt of one extraction, for any provider. System text and schema have the same bytes in every prompt of
 * a template, so that providers' prompt caches hit; only `user` differs.
 */
export function buildExtractionPrompt({
  excerpt,
  moods,
  deltas,
  subjectName,
  longIds,
  order,
  template = DEFAULT_PROMPT_TEMPLATE,
}: ExtractionPromptInput): ExtractionPrompt {
  const shown = orderMessages(excerpt, order);
  const labelSpeaker = labelSpeakers(
    shown.map(({ message }) => message),
    subjectName,
  );
  const { lines, messageIds } = renderConversation({ shown, moods, deltas, labelSpeaker });
  return {
    version: template.version,
    system: template.system,
    user: ['<conversation>', ...lines, '</conversation>', ...renderLongMessageList(messageIds, longIds)].join('\n'),
    schemaName: RESPONSE_SCHEMA_NAME,
    schema: template.schema,
    messageIds,
  };
}

function renderLongMessageList(
  messageIds: ReadonlyMap<string, string>,
  longIds: ReadonlySet<string> | undefined,
): string[] {
  const names = [...messageIds].filter(([, id]) => longIds?.has(id)).map(([name]) => name);
  return names.length === 0 ? [] : [`long: ${names.join(', ')}`];
}
