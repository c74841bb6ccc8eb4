import { type ApiKey, type ApiKeyCreated, KEY_SCOPES } from '@annals/contracts';
import { readSystemRandomBytes } from '@annals/domain';
import { apiKeyPrefix, createApiKey, hashApiKey, type Tx } from '@annals/storage';
import { createKeyText } from '../auth/key-text.js';

/** Makes a key with every scope of the transaction's tenant, bound to nothing. `text` is to be shown this once. */
export async function insertFullKey(
  tx: Tx,
  { id, name, now }: { readonly id: string; readonly name: string; readonly now: number },
): Promise<{ readonly key: ApiKey; readonly text: NonNullable<ApiKeyCreated['key']> }> {
  const text = createKeyText(readSystemRandomBytes);
  const key = await createApiKey(tx, {
    id,
    name,
    keyHash: hashApiKey(text),
    prefix: apiKeyPrefix(text),
    scopes: KEY_SCOPES,
    operator: false,
    agentId: null,
    userId: null,
    categories: null,
    expiresAt: null,
    now,
  });
  return { key, text };
}
