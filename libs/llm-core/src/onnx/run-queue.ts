/** Runs of models, one after the other, because each uses all cores. */
class RunQueue {
  private running: Promise<unknown> = Promise.resolve();

  /** Runs `work` after the runs before it; skipped if its signal was aborted meanwhile. */
  enqueue<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = this.running.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.running = turn.catch(() => undefined);
    return turn;
  }
}

/** The one queue of the process: embedder and reranker share its cores. */
export const ONNX_RUNS = new RunQueue();
