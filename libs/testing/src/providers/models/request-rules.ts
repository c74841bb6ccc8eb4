import { type FakeRequest, isRecord, extractMessages } from './fake-request.js';
import type { FakeModel } from './known-models.js';
import { findSchemaFault } from './schema-rules.js';

/** Parameters that a server may not support; each is rejected with the same 400 as by real servers. */
const REFUSABLE = [
  'output_config',
  'output_config.format',
  'output_config.effort',
  'thinking',
  'cache_control',
  'response_format',
  'response_format.json_schema',
  'response_format.json_object',
  'max_completion_tokens',
  'max_tokens',
  'stream_options',
  'reasoning_effort',
  'store',
  'temperature',
  'encoding_format.base64',
] as const;
export type Refusable = (typeof REFUSABLE)[number];

export interface ServerRules {
  /** Models that exist; others are rejected with 404. */
  models: readonly FakeModel[];
  /** Keys that are accepted; null: any. A request without a key is always rejected with 401. */
  keys: readonly string[] | null;
  refuses: readonly Refusable[];
  /** A compatible server (vLLM, llama.cpp, Ollama) checks nothing else; the providers' own servers check more. */
  isCompatible: boolean;
}

export interface RequestFault {
  status: number;
  message: string;
  code?: string;
  param?: string;
}

/** The error with which a real server would reject this request; null when it would not. */
export function findFault(request: FakeRequest, key: string | null, rules: ServerRules): RequestFault | null {
  if (key === null || (rules.keys && !rules.keys.includes(key))) {
    return { status: 401, message: request.api === 'anthropic' ? 'invalid API key' : 'Incorrect API key provided.' };
  }
  if (request.endpoint === 'models') return null;
  const model = rules.models.find(({ id, api }) => id === request.model && api === request.api);
  if (!model) return { status: 404, message: describeUnknownModel(request) };
  return findRefused(request, rules.refuses) ?? (rules.isCompatible ? null : findOfficialFault(request, model));
}

function describeUnknownModel({ api, model }: FakeRequest): string {
  return api === 'anthropic'
    ? `model: ${model}`
    : `The model \`${model}\` does not exist or you do not have access to it.`;
}

function findRefused({ api, body }: FakeRequest, refuses: readonly Refusable[]): RequestFault | null {
  const param = refuses.find((name) => isUsed(name, body));
  if (param === undefined) return null;
  if (api === 'anthropic') return { status: 400, message: `${param}: Extra inputs are not permitted` };
  const [name, value] = param.split('.');
  const what = value ? `Invalid value: '${value}' for '${name}'.` : `Unsupported parameter: '${name}'.`;
  return { status: 400, message: what, code: value ? 'invalid_value' : 'unsupported_parameter', param: name! };
}

function isUsed(name: Refusable, body: Readonly<Record<string, unknown>>): boolean {
  if (name === 'cache_control') return JSON.stringify(body).includes('"cache_control"');
  const [field, part] = name.split('.');
  const value = body[field!];
  if (part === undefined) return value !== undefined;
  if (isRecord(value)) return value.type === part || value[part] !== undefined;
  return value === part;
}

function findOfficialFault(request: FakeRequest, model: FakeModel): RequestFault | null {
  if (request.endpoint === 'embeddings') return null;
  return request.api === 'anthropic' ? findAnthropicFault(request, model) : findOpenAIFault(request);
}

function findAnthropicFault({ body, endpoint }: FakeRequest, model: FakeModel): RequestFault | null {
  const bad = (message: string): RequestFault => ({ status: 400, message });
  if (endpoint === 'generate' && !isPositiveInteger(body.max_tokens)) return bad('max_tokens: Field required');
  for (const name of ['temperature', 'top_p', 'top_k']) {
    if (body[name] !== undefined) return bad(`${name}: Extra inputs are not permitted`);
  }
  const messages = extractMessages(body);
  if (messages.length === 0) return bad('messages: at least one message is required');
  if (messages.at(-1)!.role === 'assistant') return bad('This model does not support assistant message prefill.');
  if (messages.some(({ role }) => role !== 'user' && role !== 'assistant'))
    return bad('messages.0.role: Input should be');
  if (messages.some(({ text }) => text === '')) return bad('messages: text content blocks must be non-empty');
  const thinking = isRecord(body.thinking) ? String(body.thinking.type) : undefined;
  if (thinking && model.refusesThinking?.includes(thinking)) return bad(`thinking.type: ${thinking} is not supported`);
  const format = isRecord(body.output_config) ? body.output_config.format : undefined;
  const fault = isRecord(format) ? findSchemaFault(format.schema, 'anthropic') : null;
  return fault === null ? null : bad(`output_config.format.schema: ${fault}`);
}

function findOpenAIFault({ body, stream }: FakeRequest): RequestFault | null {
  const bad = (message: string, param: string, code?: string): RequestFault => ({
    status: 400,
    message,
    param,
    ...(code ? { code } : {}),
  });
  if (body.max_tokens !== undefined) {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model.";
    return bad(`${message} Use 'max_completion_tokens' instead.`, 'max_tokens', 'unsupported_parameter');
  }
  if (extractMessages(body).length === 0) return bad('Invalid messages: empty array.', 'messages', 'empty_array');
  if (body.temperature !== undefined && body.reasoning_effort !== 'none') {
    return bad("Unsupported value: 'temperature'.", 'temperature', 'unsupported_value');
  }
  if (body.stream_options !== undefined && !stream) {
    return bad("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  return findFormatFault(body, bad);
}

function findFormatFault(
  body: Readonly<Record<string, unknown>>,
  bad: (message: string, param: string, code?: string) => RequestFault,
): RequestFault | null {
  const format = body.response_format;
  if (!isRecord(format)) return null;
  if (
    format.type === 'json_object' &&
    !/json/i.test(
      extractMessages(body)
        .map(({ text }) => text)
        .join(' '),
    )
  ) {
    return bad("'messages' must contain the word 'json' in some form.", 'messages');
  }
  if (format.type !== 'json_schema') return null;
  const named = isRecord(format.json_schema) ? format.json_schema : {};
  if (!/^[\w-]{1,64}$/.test(String(named.name))) return bad('Invalid response_format name.', 'response_format');
  const fault = named.strict === true ? findSchemaFault(named.schema, 'openai') : null;
  return fault === null ? null : bad(`Invalid schema for response_format: ${fault}`, 'response_format');
}

function isPositiveInteger(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
