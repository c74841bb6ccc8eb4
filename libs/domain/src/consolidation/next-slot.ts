import { createHash } from 'node:crypto';
import { DAY_MS } from './types.js';

/**
 * When the next daily run of a user is due (epoch ms, later than `now`): at a time of the day that tenant and user
 * determine, so that the runs of all are spread over the day.
 */
export function findNextSlot(tenantId: string, subjectId: string, now: number): number {
  const hash = createHash('sha256').update(`${tenantId} ${subjectId}`).digest();
  const offset = hash.readUInt32BE() % DAY_MS;
  const today = Math.floor(now / DAY_MS) * DAY_MS + offset;
  return today > now ? today : today + DAY_MS;
}
