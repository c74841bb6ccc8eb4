import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressRules, hostAddress } from './address-rules.js';

/** All addresses of a host name. Rejects when there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  /** For everything: resolving, connecting, sending, and the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Why there was no response. `interrupted`: `signal` was aborted. */
export type SendFailure = 'url_refused' | 'address_refused' | 'dns' | 'connection' | 'tls' | 'timeout' | 'interrupted';

export type WebhookReply =
  { readonly status: number; readonly retryAfter: string | undefined } | { readonly failure: SendFailure };

const MAX_HEADER_BYTES = 16 * 1_024;
/** With its headers and whatever comes before them: what a receiver writes is not kept, and read no further than this. */
const MAX_RESPONSE_BYTES = 2 * MAX_HEADER_BYTES;

/** Not by getaddrinfo: hosts whose name servers hang would occupy the threads of the whole process. */
export function createHostResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return addresses;
  };
}

/**
 * Sends one request over a connection of its own, to an address that was checked in this call: nothing is resolved a
 * second time, no redirect is followed and no proxy used. Never throws.
 */
export async function sendWebhook(request: WebhookRequest, options: SendOptions): Promise<WebhookReply> {
  const { rules, timeoutMs } = options;
  const url = new URL(request.url);
  if (rules.explainRefusal(url) !== null) return { failure: 'url_refused' };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, options.signal]);
  try {
    const addresses = await resolveWithin(url, options, signal);
    if (addresses === null) return { failure: 'dns' };
    // All of them: a name that leads inside and outside is a way inside.
    if (!addresses.every((address) => rules.isAllowed(address))) return { failure: 'address_refused' };
    return await post(url, request, { addresses, signal });
  } catch (error) {
    if (options.signal.aborted) return { failure: 'interrupted' };
    return { failure: timeout.aborted ? 'timeout' : classify(error) };
  }
}

async function resolveWithin(
  url: URL,
  { resolve }: SendOptions,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const literal = hostAddress(url);
  if (literal !== null) return [literal];
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  aborted.promise.catch(() => undefined);
  try {
    const addresses = await Promise.race([resolve(url.hostname), aborted.promise]);
    return addresses.length === 0 ? null : addresses;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function post(
  url: URL,
  { headers, body }: WebhookRequest,
  { addresses, signal }: { readonly addresses: readonly string[]; readonly signal: AbortSignal },
): Promise<WebhookReply> {
  const answered = Promise.withResolvers<WebhookReply>();
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A connection of its own, closed behind the response.
    agent: false,
    signal,
    lookup: answerWith(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
  request.once('socket', (socket) => {
    socket.on('data', () => {
      if (socket.bytesRead > MAX_RESPONSE_BYTES) request.destroy(new Error('The response is too long.'));
    });
  });
  const failClosed = () => answered.reject(new Error('The connection was closed without a response.'));
  request.once('error', answered.reject).once('close', failClosed);
  request.once('upgrade', (response, socket) => {
    // There would be no other event.
    socket.destroy();
    answered.resolve(toReply(response));
  });
  request.once('response', (response) => {
    // Whatever breaks now, the status is known.
    request
      .off('error', answered.reject)
      .off('close', failClosed)
      .on('error', () => undefined);
    void drain(response).then(() => answered.resolve(toReply(response)));
  });
  request.end(body);
  return answered.promise;
}

function toReply({ statusCode, headers }: IncomingMessage): WebhookReply {
  return { status: statusCode!, retryAfter: headers['retry-after'] };
}

/** A lookup that returns the checked addresses, whatever is asked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, done) => {
    if (all === true) done(null, answers);
    else done(null, answers[0]!.address, answers[0]!.family);
  };
}

/** Lets a short response end, so that the receiver sees no broken connection. */
async function drain(response: IncomingMessage): Promise<void> {
  try {
    for await (const _chunk of response);
  } catch {
    // Too long or too slow. The status was received, and says all that counts.
  }
}

const TLS_ERROR = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|^EPROTO$/;

function classify(error: unknown): SendFailure {
  const { code = '' } = error as NodeJS.ErrnoException;
  return TLS_ERROR.test(code) ? 'tls' : 'connection';
}
