import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const checkpoints = defineFragment({
  title: 'Checkpoints',
  variables: {
    ANNALS_CHECKPOINT_MAX_BYTES: withDefault(integer(1, 104_857_600), '1000000', {
      description:
        'Maximum size of a thread’s state, as JSON; a larger one is rejected with 413. `ANNALS_BODY_LIMIT_BYTES` applies as well.',
      unit: 'bytes',
    }),
    ANNALS_CHECKPOINT_KEEP_VERSIONS: withDefault(integer(1, 100_000), '50', {
      description: 'How many versions of a thread’s state are retained, the newest included.',
      unit: 'versions',
    }),
    ANNALS_CHECKPOINT_KEEP_DAYS: withDefault(integer(1, 36_500), '30', {
      description: 'Age from which an earlier version is deleted. The newest version is retained, whatever its age.',
      unit: 'days',
    }),
  },
  build: (values) => ({
    maxBytes: values.ANNALS_CHECKPOINT_MAX_BYTES,
    keepVersions: values.ANNALS_CHECKPOINT_KEEP_VERSIONS,
    keepMs: values.ANNALS_CHECKPOINT_KEEP_DAYS * DAY_MS,
  }),
});
