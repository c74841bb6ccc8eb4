import type { ApiKey, ApiKeyCreated } from '@annals/contracts';
import { readSystemRandomBytes } from '@annals/domain';
import { createFullAccessKey, type Tx } from '@annals/storage';
import { createKeyText } from '../auth/key-text.js';

/** Makes a key with every scope of the transaction's tenant, bound to nothing. `text` is to be shown this once. */
export async function insertFullKey(
  tx: Tx,
  key: { readonly id: string; readonly name: string; readonly now: number },
): Promise<{ readonly key: ApiKey; readonly text: NonNullable<ApiKeyCreated['key']> }> {
  const text = createKeyText(readSystemRandomBytes);
  return { key: await createFullAccessKey(tx, { ...key, text, operator: false }), text };
}
