import { createProvider } from '../../provider/create-provider.js';
import type { ProviderConfig } from '../../provider/create-provider.js';
import { describeLLMProvider } from '../../provider/llm-provider.contract.js';
import { LocalProvider } from './local-provider.js';

describeLLMProvider('local', () => createProvider({ provider: 'local' }));

describe('LocalProvider', () => {
  it('says that a model does better, and costs nothing', async () => {
    const response = await new LocalProvider().send({
      requestId: 'r1',
      task: 'extract_memories',
      conversation: { messages: [], context: [] },
      signal: new AbortController().signal,
    });
    expect(response).toMatchObject({ model: 'local-rules-1', costMicroUsd: 0 });
    expect(response.notice).toContain('language model finds more');
  });

  it('is not found under a name that nobody has', () => {
    expect(() => createProvider({ provider: 'nobody' } as unknown as ProviderConfig)).toThrow(
      'Set it to one of: local.',
    );
  });
});
