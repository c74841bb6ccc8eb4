import { Failure } from '../failure.js';
import type { Settings } from '../client/read-settings.js';

/** How the last line of a whole export begins. */
const END = '{"kind":"end"';
const REMEMBERED_BYTES = 65_536;

/**
 * The bytes of a user's export as the server sends them: numbers in them stay as they are, which a parser would round.
 * Throws at the end when it was cut off.
 */
export async function* openExport(user: string, { url, apiKey }: Settings): AsyncGenerator<Uint8Array> {
  const response = await request(`${url}/v1/users/${encodeURIComponent(user)}/export`, apiKey);
  const decoder = new TextDecoder();
  let tail = '';
  try {
    for await (const chunk of response.body!) {
      tail = (tail + decoder.decode(chunk as Uint8Array, { stream: true })).slice(-REMEMBERED_BYTES);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw new Failure('The connection to Annals was lost: run the same command again.', 3, { cause: error });
  }
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith(END)) throw new Failure('The export was cut off: run the same command again.', 3);
}

async function request(address: string, apiKey: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } });
  } catch (error) {
    throw new Failure('Annals does not answer: check ANNALS_URL, and run the same command again.', 3, { cause: error });
  }
  if (response.ok && response.body) return response;
  throw new Failure(await describe(response), response.status === 429 || response.status >= 500 ? 3 : 2);
}

async function describe(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // Another server answered.
  }
  return `The server answered with status ${response.status}: check ANNALS_URL.`;
}
