import { divide, orZero, rate } from '../promql.ts';
import { defineAlerts } from './alert.ts';

/** Alerts of what becomes memory. */
export const qualityAlerts = defineAlerts({
  AnnalsQuarantineSurge: {
    severity: 'ticket',
    value: divide(
      orZero(rate('memory_llm_memories_quarantined_total', { over: '1h' })),
      rate('memory_llm_memories_extracted_total', { over: '1h' }),
    ),
    fires: '> 0.2',
    for: '15m',
    summary: '{{ $value | humanizePercentage }} of the extracted memories are quarantined.',
    meaning: 'The model states what nobody said. Nothing of it is served.',
    checks: ['`memory_llm_memories_quarantined_total` by reason; quarantined memories of a user by the API.'],
    actions: ['Use another model, or check what it was sent.'],
  },
  AnnalsJunkHigh: {
    severity: 'ticket',
    value: divide(
      rate('memory_llm_memories_junk_total', { over: '6h' }),
      rate('memory_llm_memories_extracted_total', { over: '6h' }),
    ),
    fires: '> 0.1',
    for: '1h',
    summary: '{{ $value | humanizePercentage }} of the extracted memories are of no use.',
    meaning: 'They are quarantined, rejected by the writing constraints, or expire without having been read.',
    checks: ['`cause` of `memory_llm_memories_junk_total`.'],
    actions: ['Use another model; for `expired_unread` narrow the categories.'],
  },
  AnnalsWritingViolated: {
    severity: 'ticket',
    value: divide(
      rate('memory_llm_writing_checked_total', { where: { outcome: 'passed' }, over: '1h' }),
      rate('memory_llm_writing_checked_total', { over: '1h' }),
    ),
    fires: '< 0.95',
    for: '1h',
    summary: 'Only {{ $value | humanizePercentage }} of the memories keep the writing constraints at first.',
    meaning: 'The others are rewritten, trimmed or rejected: each costs a call or a memory.',
    checks: ['`memory_llm_writing_violations_total` by rule.'],
    actions: ['Use another model for extraction.'],
  },
  AnnalsReconciliationUndecided: {
    severity: 'ticket',
    value: divide(
      rate('memory_llm_reconciliations_total', { where: { outcome: { not: 'decided' } }, over: '30m' }),
      rate('memory_llm_reconciliations_total', { over: '30m' }),
    ),
    fires: '> 0.2',
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the reconciliations end without a decision of the model.',
    meaning: 'Rules decide instead; two contradicting memories can both stay current.',
    checks: ['`reconciliation_degraded` in the log; whether persistence has the keys of the models.'],
    actions: ['Set the keys, or restore the provider. Correct existing memories by PATCH, DELETE or undo.'],
  },
});
