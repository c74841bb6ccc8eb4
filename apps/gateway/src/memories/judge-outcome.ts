import { type MemoryWritten, ProblemError } from '@annals/contracts';
import type { ChangeResult } from '@annals/domain';
import { memoryNotFound } from './memory-view.js';

export type WrittenOutcome = MemoryWritten['outcome'];

/** What a caller is told of a change. Throws the problem of one that was not made. */
export function judgeOutcome(outcome: ChangeResult['outcome']): WrittenOutcome {
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
      throw new ProblemError('memory_not_current', 'Change the memory that superseded this one: see superseded_by.');
    case 'not_deleted':
      throw new ProblemError('memory_not_deleted', 'The memory is not deleted, so there is nothing to restore.');
    case 'not_quarantined':
    case 'not_undoable':
    case 'revision_conflict':
    case 'suppressed':
    case 'quarantined':
    case 'purged':
    case 'not_due':
      throw new Error(`A memory by hand cannot end as ${outcome}.`);
  }
}
