import { deriveSecrets, type Secrets } from './derive-secrets.js';

const KEY = 'a-secret-key-of-at-least-32-characters';
const OTHER = `${KEY}.`;
const rotated = ({ messageHmac, idempotency, audit, webhooks }: Secrets) => ({
  messageHmac,
  idempotency,
  audit,
  webhooks,
});

describe('deriveSecrets', () => {
  it('derives the same secrets from the same key', () => {
    expect(deriveSecrets({ secretKey: KEY })).toEqual(deriveSecrets({ secretKey: KEY }));
  });

  it('derives a different key of 32 bytes for each purpose', () => {
    const { accepted, auditKeys, ...secrets } = deriveSecrets({ secretKey: KEY });
    const keys = Object.values(secrets);
    expect([accepted, auditKeys]).toEqual([[], [secrets.audit]]);
    expect(new Set(keys.map((secret) => secret.length))).toEqual(new Set([32]));
    expect(new Set(keys.map((secret) => secret.toString('hex'))).size).toBe(keys.length);
  });

  it('derives other secrets from another key', () => {
    expect(deriveSecrets({ secretKey: OTHER }).messageHmac).not.toEqual(deriveSecrets({ secretKey: KEY }).messageHmac);
  });

  it('derives pseudonyms and chains from keys of their own, so that they stay when the secret key changes', () => {
    const before = deriveSecrets({ secretKey: KEY });
    const after = deriveSecrets({ secretKey: OTHER, chainKey: KEY, pseudonymKey: KEY });
    expect([after.pseudonyms, after.chain]).toEqual([before.pseudonyms, before.chain]);
    expect(after.messageHmac).not.toEqual(before.messageHmac);
  });

  it('accepts what other keys made, each once', () => {
    const before = deriveSecrets({ secretKey: KEY });
    const { accepted, audit, auditKeys } = deriveSecrets({ secretKey: OTHER, acceptedKeys: [OTHER, KEY] });
    expect(accepted).toEqual([rotated(before)]);
    expect(auditKeys).toEqual([audit, before.audit]);
  });

  it('is HKDF-SHA256 with the salt "annals": stored HMACs depend on it', () => {
    const { messageHmac, chain } = deriveSecrets({ secretKey: KEY });
    expect(messageHmac.toString('hex')).toBe('11d70b7582444aa5c67d91d8a6d8e21492d995c0a7b99c3770aa09bc87d8cd5c');
    expect(chain.toString('hex')).toBe('aed7a32bc20575fbacff1b29d852e55c6d7b4d7eb61f46c51e48ca63e284d7e1');
  });
});
