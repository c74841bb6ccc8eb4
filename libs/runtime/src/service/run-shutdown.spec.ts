import type { Logger } from '@annals/observability';
import { runShutdown } from './run-shutdown.js';

function createRecorder() {
  const failed: string[] = [];
  const logger = {
    error: (event: string, fields: { step: string }) => void failed.push(`${event} ${fields.step}`),
  } as unknown as Logger;
  return { failed, logger };
}

describe('runShutdown', () => {
  it('runs the steps one after another', async () => {
    const { logger } = createRecorder();
    const ran: string[] = [];
    const slow = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ran.push('slow');
    };
    const steps = [
      { name: 'first', run: slow },
      { name: 'second', run: () => ran.push('second') },
    ];
    expect(await runShutdown(steps, 1_000, logger)).toBe(true);
    expect(ran).toEqual(['slow', 'second']);
  });

  it('logs a failing step and continues with the next', async () => {
    const { logger, failed } = createRecorder();
    const last = vi.fn();
    const steps = [
      { name: 'broken', run: () => Promise.reject(new Error('x')) },
      { name: 'last', run: last },
    ];
    expect(await runShutdown(steps, 1_000, logger)).toBe(true);
    expect(failed).toEqual(['shutdown_step_failed broken']);
    expect(last).toHaveBeenCalled();
  });

  it('stops when the time is over, and logs the current step', async () => {
    const { logger, failed } = createRecorder();
    const never = { name: 'finish jobs', run: () => new Promise(() => undefined) };
    expect(await runShutdown([never], 20, logger)).toBe(false);
    expect(failed).toEqual(['shutdown_step_failed finish jobs']);
  });
});
