import { buildExtractionPrompt } from '../prompt/build-extraction-prompt.js';
import type { ExtractionPrompt } from '../prompt/extraction-prompt.js';
import type { ConversationExcerpt, LLMRequest } from './llm-request.js';

const SPOKEN_AT = Date.UTC(2023, 4, 8);

/** Message ids are what the prompt's short names will be, so that answers of every provider cite the same. */
const CONVERSATION: ConversationExcerpt = {
  messages: [
    { id: 'm1', role: 'user', actorId: null, content: 'I live in Lisbon.', createdAt: SPOKEN_AT },
    { id: 'm2', role: 'assistant', actorId: null, content: 'Noted.', createdAt: SPOKEN_AT },
  ],
  context: [{ id: 'c1', role: 'user', actorId: null, content: 'I work as a nurse.', createdAt: SPOKEN_AT }],
};

/** A request as the extraction job makes it, for a short conversation unless told otherwise. */
export function sampleRequest(changes: Partial<LLMRequest<ExtractionPrompt>> = {}): LLMRequest<ExtractionPrompt> {
  const conversation = changes.conversation ?? CONVERSATION;
  return {
    requestId: 'r1',
    task: 'extract_memories',
    conversation,
    prompt: buildExtractionPrompt({ excerpt: conversation }),
    maxOutputTokens: 1_000,
    signal: new AbortController().signal,
    ...changes,
  };
}
