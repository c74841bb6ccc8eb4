import type { ExtractionPrompt } from '../prompt/extraction-prompt.js';
import type { LLMRequest } from './llm-request.js';

const SPOKEN_AT = Date.UTC(2023, 4, 8);

/** A strict schema as both APIs accept it; what it asks for does not matter to a provider. */
const SCHEMA = {
  type: 'object',
  properties: { schemaVersion: { type: 'string' }, memories: { type: 'array', items: { type: 'string' } } },
  required: ['schemaVersion', 'memories'],
  additionalProperties: false,
};

/** A request for `said` (by default one message of a user), whose message ids are their short names. */
export function sampleRequest(changes: Partial<LLMRequest> & { said?: readonly string[] } = {}): LLMRequest {
  const { said = ['I live in Lisbon.'], ...rest } = changes;
  return {
    requestId: 'r1',
    task: 'extract_memories',
    conversation: {
      messages: [
        { id: 'm1', role: 'user', actorId: null, content: 'I live in Lisbon.', createdAt: SPOKEN_AT },
        { id: 'm2', role: 'assistant', actorId: null, content: 'I live in a computer.', createdAt: SPOKEN_AT },
      ],
      context: [{ id: 'c1', role: 'user', actorId: null, content: 'I work as a nurse.', createdAt: SPOKEN_AT }],
    },
    prompt: samplePrompt(said),
    maxOutputTokens: 1_000,
    signal: new AbortController().signal,
    ...rest,
  };
}

function samplePrompt(said: readonly string[]): ExtractionPrompt {
  return {
    version: 'sample',
    system: 'Extract memories.',
    user: `Conversation:\n${said.map((text, index) => `[m${index + 1}] user: ${text}`).join('\n')}`,
    schemaName: 'memory_llm_response_v1',
    schema: SCHEMA,
    messageIds: new Map(said.map((_, index) => [`m${index + 1}`, `m${index + 1}`])),
  };
}
