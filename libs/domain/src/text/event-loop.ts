/** Lets a turn of the event loop pass before it resolves. */
export type Pause = () => Promise<void>;

/**
 * Pauses of one process: each turn of the event loop resumes one of them, in their order. However many requests work in
 * slices, a turn is one slice long, and connections are served in between.
 * @param schedule runs a function in the next turn: `setImmediate`
 */
export function createPause(schedule: (run: () => void) => unknown): Pause {
  const waiting: (() => void)[] = [];
  const resumeNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) schedule(resumeNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) schedule(resumeNext);
    });
}

/** The pauses of this process. */
export const pauseForEventLoop = createPause(setImmediate);
