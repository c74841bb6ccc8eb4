import { type Annals, ProblemError } from '@annals/sdk';
import {
  type BatchSaver,
  savedNothing,
  type StateToSave,
  toHeadBody,
  toPlaceBody,
  type WritesToSave,
} from './batch.js';

/** Saves deltas and writes with one request. Rejects with the errors of `@annals/sdk`. */
export function saveOverRest({ langgraph }: Pick<Annals, 'langgraph'>): BatchSaver {
  return {
    takesWhole: false,
    save: async (states, writes) => {
      try {
        return await langgraph.checkpoints.save({
          checkpoints: states.map(toCheckpoint),
          writes: writes.map(toTask),
        });
      } catch (error) {
        // One that is refused must not fail the others: each is sent by a route of its own, and fails there.
        if (error instanceof ProblemError && error.status < 500 && error.status !== 429)
          return savedNothing(states, writes);
        throw error;
      }
    },
  };
}

function toCheckpoint({ base, body, ...head }: StateToSave) {
  return { ...toHeadBody(head), delta: { base, data: body.toString('base64') } };
}

function toTask({ taskId, taskPath, writes, ...place }: WritesToSave) {
  return { ...toPlaceBody(place), task_id: taskId, task_path: taskPath, writes: [...writes] };
}
