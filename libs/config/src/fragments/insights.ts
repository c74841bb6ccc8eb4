import { defineFragment } from '../fragment.js';
import { oneOf, withDefault } from '../variable.js';

export const insights = defineFragment({
  title: 'Insights',
  variables: {
    byDefault: withDefault('ANNALS_INSIGHTS', oneOf(['on', 'off']), 'on', {
      description:
        'Whether insights about people are made and served. Each person can decide otherwise in their user context.',
    }),
  },
  build: ({ byDefault }) => ({ isOnByDefault: byDefault === 'on' }),
});
