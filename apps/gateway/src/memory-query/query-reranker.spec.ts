import { ManualClock } from '@annals/domain';
import type { Reranker } from '@annals/llm-core';
import { createLogger } from '@annals/observability';
import type { GatewayConfig, GatewayOptions } from '../config.js';
import { QueryReranker } from './query-reranker.js';

describe('QueryReranker', () => {
  it('waits for the model until the timeout by the injected clock', async () => {
    const clock = new ManualClock();
    const isCalled = Promise.withResolvers<void>();
    const hanging = {
      name: 'onnx',
      model: 'hanging',
      rerank: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          isCalled.resolve();
        }),
    } as Reranker;
    const logger = createLogger({ service: 'spec', level: 'error', clock, destination: { write: () => undefined } });
    const config = { rerank: { timeoutMs: 100, candidates: 5 } } as GatewayConfig;
    const reranker = new QueryReranker({ reranker: hanging } as GatewayOptions, null, clock, config, logger);
    const attempt = reranker.rerank('tenant', 'tea?', ['The user likes tea.']);
    await isCalled.promise;
    clock.advance(99);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect(await attempt).toEqual({ reason: 'timeout' });
    expect(clock.waiting).toBe(0);
  });
});
