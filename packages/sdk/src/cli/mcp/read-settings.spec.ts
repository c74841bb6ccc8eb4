import { readSettings } from './read-settings.js';

describe('readSettings', () => {
  it('reads where Annals is, and the key', () => {
    expect(readSettings({ ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'https://memory.example.com/annals/' })).toMatchObject({
      baseUrl: 'https://memory.example.com/annals',
      apiKey: 'ann_1',
    });
    expect(readSettings({ ANNALS_API_KEY: 'ann_1' })).toMatchObject({ baseUrl: 'http://127.0.0.1:8080' });
  });

  it.each([
    ['ANNALS_API_KEY', {}],
    ['ANNALS_API_KEY', { ANNALS_API_KEY: '' }],
    ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'localhost:8080' }],
    ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: '' }],
  ])('asks for %s when it is missing or wrong: %j', (name, env) => {
    expect(readSettings(env)).toEqual({ refusal: expect.stringMatching(`^Set ${name} to `) });
  });
});
