import { LocalProvider } from '@annals/local-provider';
import { createProvider, type ProviderConfig } from '../providers/create-provider.js';
import { describeLLMProvider } from './llm-provider.contract.js';

// The remote providers pass the contract in specs of their own, over the fake model servers.
describeLLMProvider('local', () => new LocalProvider());

describe('createProvider', () => {
  it('rejects an unknown name', () => {
    expect(() => createProvider({ provider: 'nobody' } as unknown as ProviderConfig)).toThrow(
      'set "provider" to one of: claude, openai.',
    );
  });
});
