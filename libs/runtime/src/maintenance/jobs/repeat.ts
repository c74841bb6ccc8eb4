import { type MaintenanceProgress, type MaintenanceRun, startTimeBudget } from '../maintenance-job.js';

/** Repeats a step while time is left. What it has done is not found again, so the cursor needs no position. */
export async function repeat(
  run: MaintenanceRun,
  step: (shouldContinue: () => boolean) => Promise<{ readonly done: number; readonly isComplete: boolean }>,
): Promise<MaintenanceProgress> {
  const shouldContinue = startTimeBudget(run);
  let total = 0;
  while (shouldContinue()) {
    const { done, isComplete } = await step(shouldContinue);
    total += done;
    if (isComplete) return { done: total, cursor: null };
  }
  return { done: total, cursor: 'more' };
}
