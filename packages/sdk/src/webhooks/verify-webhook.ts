import { AnnalsError } from '../errors/annals-error.js';
import type { WebhookDelivery } from '../generated/types.js';
import { SYSTEM } from '../system.js';

/** What a webhook tells. Fields of `data` beyond these depend on the type (docs/reference/webhooks.md#events). */
export interface WebhookEvent {
  readonly type: WebhookDelivery['type'];
  /** When it happened, in ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly tenant_id: string;
    readonly user_id: string | null;
    /** The place among the events of the user for this webhook. */
    readonly sequence: number;
    readonly memory_id?: string;
    readonly revision?: number;
    readonly batch_id?: string;
    /** Only if the webhook asked for it; null of a memory that was deleted, forgotten or quarantined. */
    readonly content?: string | null;
    readonly [name: string]: unknown;
  };
}

export interface VerifyWebhookOptions {
  /** The secret of the webhook (`whsec_…`); several while it is rotated. */
  readonly secret: string | readonly string[];
  /** How old or new a message may be, in ms; 5 minutes by default, which keeps others from sending it again later. */
  readonly toleranceMs?: number;
  /** Epoch ms; the clock of the machine by default. */
  readonly now?: () => number;
}

/** The message was not signed with the secret, or not now: answer 400 and do nothing of what it says. */
export class WebhookVerificationError extends AnnalsError {
  override readonly name = 'WebhookVerificationError';
}

/** Headers of a request, as `Request` and as Node's `IncomingMessage` have them. */
type HeadersOfRequest =
  { get(name: string): string | null } | { readonly [name: string]: string | readonly string[] | undefined };

const DEFAULT_TOLERANCE_MS = 5 * 60 * 1_000;
const PREFIX = 'whsec_';

/**
 * The event of a request that a webhook of Annals has sent, once its signature is verified (Standard Webhooks). `body` has
 * to be the body as it was received: JSON that was parsed and written again has another signature. Throws a
 * {@link WebhookVerificationError}, and a `TypeError` for arguments that are none.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersOfRequest,
  { secret, toleranceMs = DEFAULT_TOLERANCE_MS, now = () => SYSTEM.now() }: VerifyWebhookOptions,
): Promise<WebhookEvent> {
  const keys = decodeSecrets(secret);
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Give the body as it was received, a string or bytes: JSON that was parsed has no signature.');
  }
  if (typeof headers !== 'object' || headers === null) throw new TypeError('Give the headers of the request.');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  ) as [string, string, string];
  const isNow = /^\d{1,12}$/.test(timestamp) && Math.abs(now() - Number(timestamp) * 1_000) <= toleranceMs;
  if (!isNow) {
    throw new WebhookVerificationError('The time of the message is too far from now: check the clock of this machine.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ').flatMap((signature) => decodeSignature(signature) ?? []);
  const verified = await Promise.all(keys.map((key) => isSignedWith(key, given, signed)));
  if (!verified.includes(true)) {
    throw new WebhookVerificationError('No signature of the message is one of this secret: check secret and body.');
  }
  return parseEvent(new TextDecoder().decode(bytes));
}

function parseEvent(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The message is signed, but no JSON: it was not sent by a webhook of Annals.');
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

async function isSignedWith(secret: Bytes, signatures: readonly Bytes[], signed: Bytes): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const expected = new Uint8Array(await subtle.sign('HMAC', key, signed));
  return signatures.some((signature) => isSame(signature, expected));
}

/** In a time that does not tell how many bytes are the same. */
function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  const difference = expected.reduce((all, byte, index) => all | (byte ^ given[index]!), 0);
  return given.length === expected.length && difference === 0;
}

function readHeader(headers: HeadersOfRequest, name: string): string {
  const given = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name);
  const value = Array.isArray(given) ? given.join(' ') : given;
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError(`The message has no header ${name}: it was not sent by a webhook.`);
  }
  return value;
}

/** Names of headers have no case; some gateways of functions hand them on as they were written. */
function findHeader(headers: object, name: string): unknown {
  return Object.entries(headers).find(([key, value]) => value !== undefined && key.toLowerCase() === name)?.[1];
}

function decodeSecrets(secret: unknown): Bytes[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || !secrets.every((one) => typeof one === 'string')) {
    throw new TypeError(`Give the secret of the webhook (${PREFIX}…), or a list of them: is the variable set?`);
  }
  return secrets.map(decodeSecret);
}

function decodeSecret(secret: string): Bytes {
  const key = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (key === null || key.length === 0) throw new TypeError(`Give the secret of the webhook: ${PREFIX}… in base64.`);
  return key;
}

/** Of version 1; others are not known here. */
function decodeSignature(text: string): Bytes | null {
  return text.startsWith('v1,') ? decodeBase64(text.slice('v1,'.length)) : null;
}

function decodeBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(head: Uint8Array, tail: Uint8Array): Bytes {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}
