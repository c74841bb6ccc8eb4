import { waitUntil, WaitTimeoutError } from './wait-until.js';

describe('waitUntil', () => {
  it('resolves to the first truthy result of the condition', async () => {
    const answers = [undefined, 0, false, 'ready'];
    expect(await waitUntil(() => answers.shift(), { describe: 'it is ready', intervalMs: 1 })).toBe('ready');
  });

  it('continues while the condition throws', async () => {
    let attempts = 0;
    const condition = (): boolean => {
      attempts += 1;
      if (attempts < 3) throw new Error('not there yet');
      return true;
    };
    await waitUntil(condition, { describe: 'it is there', intervalMs: 1 });
    expect(attempts).toBe(3);
  });

  it('throws an error that names the condition, with the last error as the cause', async () => {
    const cause = new Error('refused');
    const failed = waitUntil(() => Promise.reject(cause), {
      describe: 'the server answers',
      timeoutMs: 10,
      intervalMs: 1,
    });
    await expect(failed).rejects.toThrow(WaitTimeoutError);
    await expect(failed).rejects.toMatchObject({
      message: 'Timed out after 10 ms waiting until the server answers.',
      cause,
    });
  });

  it('times out when the condition never settles', async () => {
    const failed = waitUntil(() => new Promise(() => {}), { describe: 'it answers', timeoutMs: 10, intervalMs: 1 });
    await expect(failed).rejects.toThrow('until it answers');
  });
});
