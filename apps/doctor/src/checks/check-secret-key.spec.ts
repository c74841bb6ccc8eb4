import { deriveSecrets } from '@annals/runtime';
import { evaluateSecretKey, listCandidates } from './check-secret-key.js';

const [NEW, FORMER, OTHER] = ['new', 'former', 'other'].map((name) => name.repeat(12)) as [string, string, string];

describe('listCandidates', () => {
  const namesOf = (keys: Parameters<typeof listCandidates>[0]) => listCandidates(keys).map(({ name }) => name);

  it('begins with the key that processes use for histories', () => {
    expect(namesOf({ secretKey: NEW })).toEqual(['ANNALS_SECRET_KEY']);
    const rotated = { secretKey: NEW, chainKey: FORMER, acceptedKeys: [FORMER, OTHER] };
    expect(namesOf(rotated)).toEqual(['ANNALS_CHAIN_KEY', 'ANNALS_SECRET_KEY', 'key 2 of ANNALS_SECRET_KEY_ACCEPTED']);
    expect(listCandidates(rotated)[0]!.chain).toEqual(deriveSecrets(rotated).chain);
  });
});

describe('evaluateSecretKey', () => {
  const keys = { secretKey: NEW, chainKey: OTHER, acceptedKeys: [FORMER] };
  const judge = (users: number, ...byKey: number[]) => evaluateSecretKey({ users, byKey }, listCandidates(keys));

  it('passes an installation without histories, and one whose histories the key fits', () => {
    expect(judge(0, 0, 0, 0)).toMatchObject({ verdict: 'ok', found: expect.stringContaining('No history') });
    expect(judge(1, 1, 0, 0)).toEqual({
      check: 'secrets.history',
      verdict: 'ok',
      found: 'ANNALS_CHAIN_KEY fits the histories (1 user compared).',
    });
  });

  it.each([
    ['the secret key', [0, 2, 0], 'They were begun with ANNALS_SECRET_KEY. Unset ANNALS_CHAIN_KEY in every process.'],
    [
      'an accepted key',
      [0, 0, 2],
      'They were begun with key 1 of ANNALS_SECRET_KEY_ACCEPTED. Set ANNALS_CHAIN_KEY to key 1 of ANNALS_SECRET_KEY_ACCEPTED in every process.',
    ],
    ['a key that is not there', [0, 0, 0], expect.stringMatching(/^Set ANNALS_CHAIN_KEY .* begun with/)],
    ['several keys', [1, 1, 0], expect.stringMatching(/^Processes with different keys have written/)],
  ])('fails for histories that were begun with %s, and says what to do', (_what, byKey, advice) => {
    expect(judge(2, ...byKey)).toEqual({
      check: 'secrets.history',
      verdict: 'fail',
      found: `The histories of ${2 - byKey[0]!} of 2 users were begun with another key than ANNALS_CHAIN_KEY: writes for them are refused.`,
      advice,
    });
  });

  it('fails for a data folder that has lost its key', () => {
    expect(evaluateSecretKey({ users: 3, byKey: [] }, [])).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('no secret.key'),
    });
  });
});
