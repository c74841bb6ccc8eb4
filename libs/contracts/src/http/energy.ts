import { z } from 'zod';
import { MIND_KINDS } from '../jobs/queues.js';
import { MODEL_WAIT_REASONS } from './work.js';

const units = z.number().min(0);
const count = z.number().int().min(0);

/** Who draws energy (docs/reference/energy.md#prices). */
export const ENERGY_USERS = [...MIND_KINDS, 'app_compaction'] as const;

export const energySchema = z.object({
  level: units.describe('What can be drawn now, in units, the reserve included.'),
  capacity: units,
  percent: units.describe('The level in percent of the capacity.'),
  refill_per_hour: units,
  waiting_below: units.describe('The reserve: what would leave less than this waits.'),
  today: z
    .array(z.object({ kind: z.enum(ENERGY_USERS), consumed: units, calls: count }))
    .describe('Drawn on this UTC day, by what drew it.'),
  since_last_poll: z
    .object({
      consumed: units,
      since: z.string().nullable().describe('When this key last asked; null the first time.'),
    })
    .describe('Drawn since this API key last asked.'),
  waiting: z
    .array(
      z.object({
        kind: z.enum(MIND_KINDS),
        reason: z.enum(MODEL_WAIT_REASONS),
        work: count.describe('How much work of this kind waits for this reason.'),
        until: z.string().describe('When the first of it is tried again.'),
      }),
    )
    .describe('Work of minds that waits.'),
});
export type Energy = z.infer<typeof energySchema>;
