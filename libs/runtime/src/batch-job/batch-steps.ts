import type { BatchEnding } from './batch-stage.js';

type Next<State> = (state: State) => Promise<BatchEnding>;
type OnEnding = (ending: BatchEnding) => Promise<BatchEnding>;
type OutputOf<Result> = Exclude<Awaited<Result>, BatchEnding>;
/** Releases what a step's output holds, once the run has ended. `ending` is undefined when a later step has thrown. */
type Release<Output> = (output: Output, ending: BatchEnding | undefined) => Promise<void>;

/**
 * The steps of a stage in order. A step is a function of what is known so far; its output is known to all later steps
 * under the step's name. A step that returns a `BatchEnding` instead of an output ends the run: no later step is
 * executed, and the ending is handled where the list ends.
 */
export class BatchSteps<State extends object> {
  private constructor(private readonly run: (next: Next<State>, onEnding: OnEnding) => Promise<BatchEnding>) {}

  /** Starts a list with what is known before the first step. */
  static from<Input extends object>(input: Input): BatchSteps<Input> {
    return new BatchSteps((next) => next(input));
  }

  /** Adds a step. Outputs with a `release` are released in reverse order, whatever the steps after them do. */
  step<Name extends string, Result>(
    name: Name,
    work: (state: State) => Result,
    release?: Release<OutputOf<Result>>,
  ): BatchSteps<State & Readonly<Record<Name, OutputOf<Result>>>> {
    type NextState = State & Readonly<Record<Name, OutputOf<Result>>>;
    const runStep = async (state: State, next: Next<NextState>, onEnding: OnEnding): Promise<BatchEnding> => {
      const output = await work(state);
      if (isEnding(output)) return onEnding(output);
      let ending: BatchEnding | undefined;
      try {
        ending = await next({ ...state, [name]: output } as NextState);
        return ending;
      } finally {
        await release?.(output as OutputOf<Result>, ending);
      }
    };
    return new BatchSteps((next, onEnding) => this.run((state) => runStep(state, next, onEnding), onEnding));
  }

  /** Runs the steps, then `last`. `onEnding` handles the ending, whichever step it comes from, before any release. */
  end(last: Next<State>, onEnding: OnEnding = (ending) => Promise.resolve(ending)): Promise<BatchEnding> {
    return this.run(async (state) => onEnding(await last(state)), onEnding);
  }
}

function isEnding(output: unknown): output is BatchEnding {
  return typeof output === 'object' && output !== null && 'ends' in output;
}
