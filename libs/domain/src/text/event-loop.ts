/** Lets a turn of the event loop pass before it resolves. */
export type Pause = () => Promise<void>;

export interface Pauses {
  readonly pause: Pause;
  /** For work inside of a database transaction, for whose end others wait. */
  readonly pauseInTransaction: Pause;
}

/**
 * Pauses of one process: each turn of the event loop resumes one of them, in their order. However many requests work in
 * slices, a turn is one slice long, and connections are served in between. While both kinds wait, every other turn
 * resumes work inside of a transaction: however many wait outside, it takes two turns for each of its slices, and
 * neither kind can hold up the other.
 * @param schedule runs a function in the next turn: `setImmediate`
 */
export function createPauses(schedule: (run: () => void) => unknown): Pauses {
  const outside: (() => void)[] = [];
  const inside: (() => void)[] = [];
  let wasInside = false;
  const resumeNext = () => {
    wasInside = inside.length > 0 && !(wasInside && outside.length > 0);
    (wasInside ? inside : outside).shift()!();
    if (inside.length + outside.length > 0) schedule(resumeNext);
  };
  const pauseIn = (waiting: (() => void)[]) => () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (inside.length + outside.length === 1) schedule(resumeNext);
    });
  return { pause: pauseIn(outside), pauseInTransaction: pauseIn(inside) };
}

const PAUSES = createPauses(setImmediate);
/** The pauses of this process. */
export const pauseForEventLoop = PAUSES.pause;
/** The same inside of a database transaction. */
export const pauseInTransaction = PAUSES.pauseInTransaction;
