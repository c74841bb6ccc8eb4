import type { Said } from './conversation.js';

const ID_BYTES = 16;

/**
 * An id for each message, of the thread and the conversation up to it: the same in every step of an agent, in every
 * process and after a restart, so that what is posted twice is stored once.
 */
export class MessageIds {
  /** The conversation that was read last, as a rule the beginning of the next one, with the hash up to each message. */
  private known: readonly (Said & { readonly hash: string })[] = [];

  constructor(private readonly scope: readonly string[]) {}

  async derive(said: readonly Said[]): Promise<string[]> {
    const known = this.takeKnown(said);
    let before = known.at(-1)?.hash ?? (await digest(this.scope));
    for (const { role, text } of said.slice(known.length)) {
      before = await digest([before, role, text]);
      known.push({ role, text, hash: before });
    }
    this.known = known;
    return known.map(({ hash }) => `ai-${hash}`);
  }

  private takeKnown(said: readonly Said[]): (Said & { readonly hash: string })[] {
    const { known } = this;
    const firstNew = known.findIndex(({ role, text }, at) => said[at]?.role !== role || said[at].text !== text);
    return firstNew === -1 ? [...known] : known.slice(0, firstNew);
  }
}

async function digest(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash.subarray(0, ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
