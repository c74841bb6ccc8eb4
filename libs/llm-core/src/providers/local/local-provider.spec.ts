import { createProvider } from '../../provider/create-provider.js';
import type { ProviderConfig } from '../../provider/create-provider.js';
import { describeLLMProvider } from '../../provider/llm-provider.contract.js';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { LocalProvider } from './local-provider.js';

describeLLMProvider('local', () => createProvider({ provider: 'local' }));

describe('LocalProvider', () => {
  it('says that a model does better, and costs nothing', async () => {
    const response = await new LocalProvider().send(sampleRequest({ conversation: { messages: [], context: [] } }));
    expect(response).toMatchObject({ model: 'local-rules-2', costMicroUsd: 0 });
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
    const sending = new LocalProvider().send(
      sampleRequest({ conversation: { messages, context: [] }, signal: controller.signal }),
    );
    await expect(sending).rejects.toBe(reason);
  });

  it('is not found under a name that nobody has', () => {
    expect(() => createProvider({ provider: 'nobody' } as unknown as ProviderConfig)).toThrow(
      'set "provider" to one of: local, claude, openai.',
    );
  });
});
