import { buildExtractionPrompt } from '../prompt/build-extraction-prompt.js';
import type { ExtractionPrompt } from '../prompt/build-extraction-prompt.js';
import type { ConversationExcerpt, LLMRequest } from './llm-request.js';

const SENT_AT = Date.UTC(2023, 4, 8);

/** Message ids equal the short names in the prompt, so that answers of every provider cite the same ids. */
const CONVERSATION: ConversationExcerpt = {
  messages: [
    { id: 'm1', role: 'user', actorId: null, content: 'I live in Lisbon.', createdAt: SENT_AT },
    { id: 'm2', role: 'assistant', actorId: null, content: 'Noted.', createdAt: SENT_AT },
  ],
  context: [{ id: 'c1', role: 'user', actorId: null, content: 'I work as a nurse.', createdAt: SENT_AT }],
};

/** A request as the extraction job builds it, for a short conversation unless `changes` contains another one. */
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
