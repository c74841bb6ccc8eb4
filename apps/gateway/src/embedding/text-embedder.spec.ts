import { createEmbeddingProvider, type EmbeddingProvider } from '@annals/llm-core';
import { createMetrics } from '@annals/observability';
import type { Database } from '@annals/storage';
import type { GatewayOptions } from '../config.js';
import { HangingModel } from '../fixtures/hanging-model.fixture.js';
import { TextEmbedder } from './text-embedder.js';

describe('TextEmbedder', () => {
  it('waits for the model until the timeout by the injected clock', async () => {
    const model = new HangingModel();
    const hanging: EmbeddingProvider = Object.assign(createEmbeddingProvider({ provider: 'hashed' }), {
      embed: model.answer,
    });
    const metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
    const options = { embedder: hanging, embeddingTimeouts: { answerMs: 100, callMs: 50 } } as GatewayOptions;
    const embedder = new TextEmbedder(options, null, {} as Database, model.clock, model.logger, metrics);
    await model.expectTimeout(embedder.embedQuery('tenant', 'tea?'), 100);
  });
});
