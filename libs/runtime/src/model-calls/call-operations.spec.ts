import { CALL_OPERATIONS } from '@annals/contracts';
import { METRICS } from '@annals/observability';

// Observability may import nothing of ours, so it has a list of its own; the database's is held by entity-drift.int-spec.
describe('what calls of models are for', () => {
  it.each(['memory_llm_requests_total', 'memory_llm_tokens_total', 'memory_llm_cost_micro_usd_total'] as const)(
    'is told by %s in the words of the API',
    (name) => expect(METRICS[name].labels.operation).toEqual(CALL_OPERATIONS),
  );
});
