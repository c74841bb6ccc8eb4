import type { Reranker } from '@annals/llm-core';
import type { GatewayConfig, GatewayOptions } from '../config.js';
import { HangingModel } from '../fixtures/hanging-model.fixture.js';
import { QueryReranker } from './query-reranker.js';

describe('QueryReranker', () => {
  it('waits for the model until the timeout by the injected clock', async () => {
    const model = new HangingModel();
    const hanging = { name: 'onnx', model: 'hanging', rerank: model.answer } as unknown as Reranker;
    const config = { rerank: { timeoutMs: 100, candidates: 5 } } as GatewayConfig;
    const options = { reranker: hanging } as GatewayOptions;
    const reranker = new QueryReranker(options, null, model.clock, config, model.logger);
    await model.expectTimeout(reranker.rerank('tenant', 'tea?', ['The user likes tea.']), 100);
  });
});
