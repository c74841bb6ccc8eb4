import type { Logger } from '@annals/observability';

export interface ShutdownStep {
  readonly name: string;
  run(): unknown;
}

/**
 * Runs the steps one after another. A failing step is logged and does not keep the next from running. Returns false
 * when the time is over before the last step has ended.
 */
export async function runShutdown(steps: readonly ShutdownStep[], timeoutMs: number, logger: Logger): Promise<boolean> {
  let current = '';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const runAll = async (): Promise<true> => {
    for (const step of steps) {
      current = step.name;
      try {
        await step.run();
      } catch (error) {
        logger.error('shutdown_step_failed', { step: step.name, error });
      }
    }
    return true;
  };
  try {
    const finished = await Promise.race([runAll(), late]);
    if (!finished) logger.error('shutdown_step_failed', { step: current, error: new ShutdownTimeout() });
    return finished;
  } finally {
    clearTimeout(timer);
  }
}

class ShutdownTimeout extends Error {
  override readonly name = 'ShutdownTimeout';
}
