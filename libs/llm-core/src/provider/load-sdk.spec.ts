import { loadSdk } from './load-sdk.js';

describe('loadSdk', () => {
  it('returns the loaded API', async () => {
    expect(await loadSdk('claude', () => Promise.resolve('api'))).toBe('api');
  });

  it('fails each call as one that was not sent, and causes no unhandled rejection', async () => {
    const api = loadSdk('claude', () => Promise.reject(new Error('Cannot find package')));
    await new Promise(setImmediate);
    await expect(api).rejects.toMatchObject({
      type: 'unknown',
      sent: false,
      message: expect.stringContaining('install the dependencies'),
    });
  });
});
