import { atLeast, atMost } from '../frame/row.ts';
import type { Suite } from '../frame/suite.ts';
import { benchQueueShare } from '../messaging/queue-share.ts';

/**
 * Target T13 (docs/reference/performance-targets.md#t13-queue-pickup-and-drain-rate): overhead of our worker over the
 * bare queue, and of priorities in both.
 */
export const benchQueue: Suite = async ({ servers, quick }) => {
  const { redisUrl } = servers;
  const share = await benchQueueShare(quick ? { redisUrl, jobs: 4_000, rounds: 1 } : { redisUrl });
  const { wrapped, wrappedUnranked, bare, bareUnranked } = share.jobsPerSecond;
  return [
    {
      id: 'T13',
      what: 'no-op jobs of one process through our worker, with priorities',
      value: wrapped,
      unit: '/s',
      raw: { what: 'bare BullMQ, with priorities /s', value: bare },
      target: atLeast(wrapped, 5_000, '>= 5,000/s'),
    },
    {
      id: 'T13',
      what: 'the same without priorities',
      value: wrappedUnranked,
      unit: '/s',
      raw: { what: 'bare BullMQ, without /s', value: bareUnranked },
    },
    {
      id: 'T13',
      what: 'job pickup, idle, 16 at a time: p50',
      value: share.pickupP50Ms,
      unit: 'ms',
      target: atMost(share.pickupP50Ms, 10, '<= 10 ms'),
      details: { p95: share.pickupP95Ms },
    },
  ];
};
