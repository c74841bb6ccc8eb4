import { type Memory, type MemoryWritten, ProblemError } from '@annals/contracts';
import type { ChangeResult } from '@annals/domain';
import { memoryNotFound } from './memory-view.js';

type Outcome = Exclude<ChangeResult['outcome'], 'revision_conflict'>;

type MemoryStatus = Pick<Memory, 'state' | 'superseded_by'>;

/** The outcome that the API returns for a change of `memory`. Throws a `ProblemError` when the change was not made. */
export function resolveOutcome(outcome: Outcome, memory: MemoryStatus): MemoryWritten['outcome'] {
  switch (outcome) {
    case 'inserted':
    case 'updated':
    case 'unchanged':
    case 'superseded':
    case 'merged':
      return outcome;
    case 'inserted_ended':
      return 'inserted';
    case 'restored':
    case 'deleted':
    case 'undone':
    case 'released':
      return 'updated';
    case 'not_found':
      throw memoryNotFound();
    case 'not_current':
      throw new ProblemError('memory_not_current', explainNotCurrent(memory));
    case 'not_deleted':
      throw new ProblemError('memory_not_deleted', 'The memory is not deleted, so there is nothing to restore.');
    case 'without_ground':
      throw new ProblemError(
        'insight_without_ground',
        'Everything that the insight rests on was deleted or superseded. Restore that, see GET /v1/memories/{id}/why.',
      );
    case 'not_quarantined':
      throw new ProblemError(
        'memory_not_quarantined',
        'The memory is not quarantined, so it can be neither released nor rejected.',
      );
    case 'not_undoable':
      throw new ProblemError(
        'memory_not_undoable',
        'Read its history at GET /v1/memories/{id}/history, and make the change that you want instead.',
      );
    case 'suppressed':
    case 'quarantined':
    case 'purged':
    case 'not_due':
      throw new Error(`A manual write cannot end as ${outcome}.`);
  }
}

function explainNotCurrent({ state, superseded_by: successor }: MemoryStatus): string {
  if (state === 'quarantined') return 'The memory is quarantined: release it first.';
  if (successor !== null) return 'Change the memory that superseded this one: see superseded_by.';
  return 'The validity of this memory has ended: add a new memory instead.';
}
