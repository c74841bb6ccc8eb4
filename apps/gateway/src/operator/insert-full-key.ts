import type { ApiKey, ApiKeyCreated } from '@annals/contracts';
import { readSystemRandomBytes } from '@annals/domain';
import { createFullAccessKey, type Tx } from '@annals/storage';
import { createKeyText } from '../auth/key-text.js';

/**
 * Creates a key of the transaction's tenant with every scope and no bindings. Its `text` is returned only this once.
 */
export async function insertFullKey(
  tx: Tx,
  key: { readonly id: string; readonly name: string; readonly now: number },
): Promise<{ readonly key: ApiKey; readonly text: NonNullable<ApiKeyCreated['key']> }> {
  const text = createKeyText(readSystemRandomBytes);
  return { key: await createFullAccessKey(tx, { ...key, text, operator: false }), text };
}
