import type { IncomingMessage } from 'node:http';
import type { Endpoint } from './behaviour.js';
import { type FakeRequest, type ModelApi, findMarks, isRecord, extractMessages, extractText } from './fake-request.js';

/** A request and its API key. */
export interface ParsedRequest {
  readonly request: FakeRequest;
  readonly key: string | null;
}

interface Route {
  api: ModelApi;
  endpoint: Endpoint;
}

/** Null for a path of neither API. */
export function findRoute(method: string, path: string, headers: IncomingMessage['headers']): Route | null {
  const route = `${method} ${path.replace(/\?.*$/, '')}`;
  if (/^POST .*\/messages$/.test(route)) return { api: 'anthropic', endpoint: 'generate' };
  if (/^POST .*\/messages\/count_tokens$/.test(route)) return { api: 'anthropic', endpoint: 'count_tokens' };
  if (/^POST .*\/chat\/completions$/.test(route)) return { api: 'openai', endpoint: 'generate' };
  if (/^POST .*\/embeddings$/.test(route)) return { api: 'openai', endpoint: 'embeddings' };
  const api = headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
  return /^GET .*\/models(\/[^/]+)?$/.test(route) ? { api, endpoint: 'models' } : null;
}

export async function readBody(message: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return isRecord(body) ? body : {};
}

export function describeRequest(
  { api, endpoint }: Route,
  message: IncomingMessage,
  body: Record<string, unknown>,
  number: number,
): ParsedRequest {
  const { authorization, 'x-api-key': apiKey, ...headers } = message.headers;
  const path = message.url ?? '';
  const messages = extractMessages(body);
  const userTexts = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const systemTexts = messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ text }) => text);
  const system = [extractText(body.system), ...systemTexts].filter((text) => text !== '').join('\n');
  const request: FakeRequest = {
    number,
    api,
    endpoint,
    method: message.method ?? '',
    path,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
    model: typeof body.model === 'string' ? body.model : '',
    stream: body.stream === true,
    system,
    userTexts,
    outputMode: detectOutputMode(body),
    maxOutputTokens: extractTokenLimit(body),
    marks: findMarks([system, ...userTexts]),
  };
  const key = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? (typeof apiKey === 'string' ? apiKey : null);
  return { request, key };
}

function detectOutputMode({ output_config, response_format }: Record<string, unknown>): FakeRequest['outputMode'] {
  const format = isRecord(output_config) ? output_config.format : response_format;
  if (!isRecord(format)) return 'text';
  if (format.type === 'json_schema') return 'schema';
  return format.type === 'json_object' ? 'json_object' : 'text';
}

function extractTokenLimit({ max_tokens, max_completion_tokens }: Record<string, unknown>): number | null {
  const limit = max_completion_tokens ?? max_tokens;
  return typeof limit === 'number' ? limit : null;
}
