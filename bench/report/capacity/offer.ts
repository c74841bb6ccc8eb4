import type { Step } from './find-knee.ts';
import { summarize } from '../../frame/statistics.ts';

/** When each piece of work was due and when it was done, in ms of one clock. */
export interface Offered {
  readonly due: readonly number[];
  readonly done: readonly number[];
}

/**
 * Rate and times of work that came at a rate. Work is compared in its order: the nth that was done with the nth that
 * was due, since a process takes it in that order.
 */
export function summarizeOffered({ due, done }: Offered): Pick<Step, 'carried' | 'p50' | 'p95'> {
  if (done.length < due.length) throw new Error(`Only ${done.length} of ${due.length} pieces of work were done.`);
  const [dueInOrder, doneInOrder] = [due, done].map((times) => times.toSorted((a, b) => a - b));
  const { p50, p95 } = summarize(dueInOrder!.map((at, index) => Math.max(0, doneInOrder![index]! - at)));
  const spanMs = doneInOrder!.at(-1)! - doneInOrder![0]!;
  return { carried: ((done.length - 1) * 1_000) / spanMs, p50, p95 };
}
