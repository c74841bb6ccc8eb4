import { ManualClock } from '@annals/domain';
import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { createLogger, createMetrics } from '@annals/observability';
import type { Database } from '@annals/storage';
import type { GatewayOptions } from '../config.js';
import { TextEmbedder } from './text-embedder.js';

describe('TextEmbedder', () => {
  it('waits for the model until the timeout by the injected clock', async () => {
    const clock = new ManualClock();
    const isCalled = Promise.withResolvers<void>();
    const hanging: EmbeddingProvider = Object.assign(createEmbeddingProvider({ provider: 'hashed' }), {
      embed: (_texts: readonly string[], { signal }: { signal: AbortSignal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          isCalled.resolve();
        }),
    });
    const logger = createLogger({ service: 'spec', level: 'error', clock, destination: { write: () => undefined } });
    const metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
    const options = { embedder: hanging, embeddingTimeouts: { answerMs: 100, callMs: 50 } } as GatewayOptions;
    const embedder = new TextEmbedder(options, null, {} as Database, clock, logger, metrics);
    const attempt = embedder.embedQuery('tenant', 'tea?');
    await isCalled.promise;
    clock.advance(99);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect(await attempt).toEqual({ reason: 'timeout' });
    expect(clock.waiting).toBe(0);
  });
});
