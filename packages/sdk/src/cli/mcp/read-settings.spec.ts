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
    ['ANNALS_API_KEY', { ANNALS_API_KEY: 'ann_…' }],
    ['ANNALS_API_KEY', { ANNALS_API_KEY: 'ann_1\n' }],
    ['ANNALS_API_KEY', { ANNALS_API_KEY: 'ann_1 ann_2' }],
    ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'https://ada@memory.example.com' }],
    ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'https://:secret@memory.example.com' }],
  ])('asks for %s when it is missing or wrong: %j', (name, env) => {
    expect(readSettings(env)).toEqual({ refusal: expect.stringMatching(`^Set ${name} to `) });
  });

  it('repeats neither a key nor a password', () => {
    for (const env of [
      { ANNALS_API_KEY: 'secret ' },
      { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'http://ada:secret@host' },
    ])
      expect(JSON.stringify(readSettings(env))).not.toContain('secret');
  });
});
