import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

export const multiFact = defineFragment({
  title: 'Second pass over long messages',
  variables: {
    MEMORY_LLM_MULTI_FACT_MIN_CHARS: withDefault(integer(0, 100_000), '600', {
      description:
        'A message of a user that is longer than this, and from which the model extracted at most one memory, is sent to the model a second time by itself. `0` disables the second pass.',
      unit: 'characters',
    }),
    MEMORY_LLM_MULTI_FACT_DAILY_CALLS: withDefault(integer(0, 100_000), '20', {
      description: 'Maximum number of such calls per user and UTC day.',
      unit: 'calls',
    }),
  },
  build: (values) => ({
    minLength: values.MEMORY_LLM_MULTI_FACT_MIN_CHARS,
    dailyCalls: values.MEMORY_LLM_MULTI_FACT_DAILY_CALLS,
  }),
});
