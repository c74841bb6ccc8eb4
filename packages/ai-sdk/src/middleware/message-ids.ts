import type { Said } from './conversation.js';

const ID_BYTES = 16;

/**
 * An id for each message, of the thread and the conversation up to it: the same in every step of an agent, in every
 * process and after a restart, so that what is posted twice is stored once.
 */
export async function deriveMessageIds(scope: readonly string[], said: readonly Said[]): Promise<string[]> {
  const ids: string[] = [];
  let before = await digest(scope);
  for (const { role, text } of said) {
    before = await digest([before, role, text]);
    ids.push(`ai-${before}`);
  }
  return ids;
}

async function digest(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash.subarray(0, ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
