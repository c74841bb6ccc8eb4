import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

export const multiFact = defineFragment({
  title: 'Second pass over long messages',
  variables: {
    MEMORY_LLM_MULTI_FACT_MIN_CHARS: withDefault(integer(0, 100_000), '600', {
      description:
        'A message of a user that is longer, and of which a model told one memory or none, is shown to it once more by itself. `0` switches that off.',
      unit: 'characters',
    }),
    MEMORY_LLM_MULTI_FACT_DAILY_CALLS: withDefault(integer(0, 100_000), '20', {
      description: 'Most such calls for one user on one UTC day.',
      unit: 'calls',
    }),
  },
  build: (values) => ({
    minLength: values.MEMORY_LLM_MULTI_FACT_MIN_CHARS,
    dailyCalls: values.MEMORY_LLM_MULTI_FACT_DAILY_CALLS,
  }),
});
