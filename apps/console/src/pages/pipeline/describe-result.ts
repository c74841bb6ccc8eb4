import type { Batch } from '@annals/sdk';
import { formatMoment } from '../../parts/format-moment.ts';
import { formatUsd } from '../../parts/money.ts';

const DEFERRED: Readonly<Record<NonNullable<Batch['deferred_reason']>, string>> = {
  budget_exceeded: 'the budget of the day is spent',
  circuit_open: 'the provider of the model is unavailable',
};

/** What a batch brought, or why it has not: one sentence. */
export function describeResult(batch: Batch): string {
  const {
    deferred_reason: reason,
    deferred_until: until,
    error,
    messages,
    shortfall_micro_usd: shortfall,
    status,
  } = batch;
  const of = messages === 1 ? '1 message' : `${messages} messages`;
  if (status === 'failed') return `${of}: ${error?.message ?? 'failed'} (${error?.code ?? 'unknown'})`;
  if (status === 'deferred') {
    const why = reason ? DEFERRED[reason] : 'it waits for another attempt';
    const missing = shortfall ? `, ${formatUsd(shortfall)} short` : '';
    return `${of}: ${why}${missing}${until ? `; tried again at ${formatMoment(until)}` : ''}`;
  }
  if (status !== 'done') return of;
  const brought = [
    [batch.inserted, 'new'],
    [batch.updated, 'updated'],
    [batch.skipped_duplicate, 'known already'],
    [batch.quarantined, 'in quarantine'],
  ].flatMap(([count, name]) => (count ? [`${count} ${name}`] : []));
  return `${of}: ${brought.join(', ') || 'nothing new'}`;
}
