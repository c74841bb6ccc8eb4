import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

export const consolidation = defineFragment({
  title: 'Consolidation',
  variables: {
    tokensPerDay: withDefault('ANNALS_CONSOLIDATION_TOKENS_PER_DAY', integer(0, 1_000_000_000), '200000', {
      description:
        'Tokens, read and written, that models may take on a UTC day for the consolidation of the memories of one tenant. What does not fit waits for the next day. 0: only what words decide is merged.',
      unit: 'tokens',
    }),
  },
});
