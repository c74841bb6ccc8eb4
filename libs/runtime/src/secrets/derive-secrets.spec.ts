import { deriveSecrets } from './derive-secrets.js';

const KEY = 'a-secret-key-of-at-least-32-characters';

describe('deriveSecrets', () => {
  it('derives the same secrets from the same key', () => {
    expect(deriveSecrets(KEY)).toEqual(deriveSecrets(KEY));
  });

  it('derives a different key of 32 bytes for each purpose', () => {
    const secrets = Object.values(deriveSecrets(KEY)) as Buffer[];
    expect(secrets.map((secret) => secret.length)).toEqual([32, 32, 32, 32]);
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(4);
  });

  it('derives other secrets from another key', () => {
    expect(deriveSecrets(`${KEY}.`).messageHmac).not.toEqual(deriveSecrets(KEY).messageHmac);
  });

  it('derives the pseudonyms from a key of their own, so that they stay when the secret key changes', () => {
    const before = deriveSecrets(KEY);
    const after = deriveSecrets(`${KEY}.`, KEY);
    expect(after.pseudonyms).toEqual(before.pseudonyms);
    expect(after.messageHmac).not.toEqual(before.messageHmac);
  });

  it('is HKDF-SHA256 with the salt "annals": stored HMACs depend on it', () => {
    expect(deriveSecrets(KEY).messageHmac.toString('hex')).toBe(
      '11d70b7582444aa5c67d91d8a6d8e21492d995c0a7b99c3770aa09bc87d8cd5c',
    );
  });
});
