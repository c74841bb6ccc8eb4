import { CALL_OPERATIONS } from '@annals/contracts';
import { METRICS } from '@annals/observability';

// Observability may import no other package, so it has its own list; entity-drift.int-spec checks the list of the
// database.
describe('operations of model calls', () => {
  it.each(['memory_llm_requests_total', 'memory_llm_tokens_total', 'memory_llm_cost_micro_usd_total'] as const)(
    'are the same in the labels of %s and in the API',
    (name) => expect(METRICS[name].labels.operation).toEqual(CALL_OPERATIONS),
  );
});
