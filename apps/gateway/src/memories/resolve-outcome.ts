import { type Memory, type MemoryWritten, ProblemError } from '@annals/contracts';
import type { ChangeResult } from '@annals/domain';
import { memoryNotFound } from './memory-view.js';

type Outcome = Exclude<ChangeResult['outcome'], 'revision_conflict'>;

/** What tells whether a memory can be changed, and why not. */
type MemoryStatus = Pick<Memory, 'state' | 'superseded_by' | 'valid_to'>;

/** What a caller is told of a change of `memory`, as it is now. Throws the problem of one that was not made. */
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
    case 'not_quarantined':
      throw new ProblemError('memory_not_quarantined', 'The memory is not quarantined, so there is nothing to decide.');
    case 'not_undoable':
      throw new ProblemError(
        'memory_not_undoable',
        'Its history tells what was done with the memory; make the change that you want instead.',
      );
    case 'suppressed':
    case 'quarantined':
    case 'purged':
    case 'not_due':
      throw new Error(`A memory by hand cannot end as ${outcome}.`);
  }
}

function explainNotCurrent({ state, superseded_by: successor, valid_to: end }: MemoryStatus): string {
  if (state === 'quarantined') return 'It is quarantined: release it first.';
  if (successor !== null) return 'Change the memory that superseded this one: see superseded_by.';
  return `It ended at ${end}: add a new memory instead.`;
}
