import { buildExtractionPrompt, type ConversationMessage, type LLMRequest } from '@annals/llm-core';
import { LocalProvider } from './local-provider.js';

// That it passes the contract of all providers is verified in libs/llm-core/src/provider/llm-provider.spec.ts.

function requestFor(messages: ConversationMessage[], signal = new AbortController().signal): LLMRequest {
  const conversation = { messages, context: [] };
  const prompt = buildExtractionPrompt({ excerpt: conversation });
  return { requestId: 'r1', task: 'extract_memories', conversation, prompt, maxOutputTokens: 1_000, signal };
}

describe('LocalProvider', () => {
  it('says that a model does better, and costs nothing', async () => {
    const response = await new LocalProvider().send(requestFor([]));
    expect(response).toMatchObject({ model: 'local-rules-4', costMicroUsd: 0 });
    expect(response.notice).toContain('language model finds more');
  });

  it('lets others have their turn while it reads a lot, and stops when aborted', async () => {
    const content = 'I bought a lamp in Rome for my sister last week. '.repeat(200);
    const messages = Array.from({ length: 50 }, (_, index) => ({
      id: `m${index}`,
      role: 'user' as const,
      actorId: null,
      content,
      createdAt: Date.UTC(2023, 4, 8),
    }));
    const controller = new AbortController();
    const reason = new Error('stopped by the test');
    setImmediate(() => controller.abort(reason));
    const sending = new LocalProvider().send(requestFor(messages, controller.signal));
    await expect(sending).rejects.toBe(reason);
  });
});
