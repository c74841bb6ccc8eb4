import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { findClaudeModel } from '../../providers/claude/claude-models.js';
import { invalid, missing, unsupported } from './chat-request-error.js';
import { type Ignore, isGiven } from './json-fields.js';
import { translateMessages, type TranslatedMessages } from './translate-messages.js';
import { translateOutput } from './translate-output.js';
import { translateTools } from './translate-tools.js';

/** What the client expects of the answer. */
export interface AnswerForm {
  readonly isStreamed: boolean;
  /** Whether a stream ends with its usage. */
  readonly hasUsage: boolean;
  /** Whether calls are told as the older `function_call`. */
  readonly usesFunctions: boolean;
}

export interface TranslatedRequest {
  /** The body of `POST /v1/messages`. */
  readonly body: JsonObject;
  readonly form: AnswerForm;
  /** Fields that have no counterpart and were left out, each once. */
  readonly ignored: readonly string[];
}

export interface TranslationOptions {
  /** Of requests that set no limit, if the model can write that much. Default: the most that it can write. */
  readonly defaultMaxTokens?: number | undefined;
}

/** What the API rejects or does not have, and a client can do without. `user` and such are about a person. */
const IGNORED = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'logit_bias',
  'user',
  'safety_identifier',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'verbosity',
  'moderation',
];

/** Read here or by the translations of their own; everything else is passed on. */
const TRANSLATED = [
  'messages',
  'system',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'stop',
  'stop_sequences',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'output_config',
  'thinking',
  'stream_options',
  'service_tier',
  'metadata',
  'store',
  'n',
  'logprobs',
  'top_logprobs',
  'modalities',
  'audio',
  'web_search_options',
];

const NATIVE_TIERS = ['auto', 'standard_only'];
const TIERS: Readonly<Record<string, string>> = { default: 'standard_only', priority: 'auto' };

/**
 * Translates a request in OpenAI’s form into one to the Messages API.
 *
 * @throws ChatRequestError when it asks for what Claude cannot do, or is not in that form.
 */
export function translateRequest(request: JsonObject, options: TranslationOptions = {}): TranslatedRequest {
  rejectUnsupported(request);
  const ignored = new Set<string>();
  const ignore: Ignore = (field) => void ignored.add(field);
  if (typeof request.model !== 'string' || request.model === '') throw missing('model');
  if (!Array.isArray(request.messages) || request.messages.length === 0) throw missing('messages');
  const output = translateOutput(request, ignore);
  const body = {
    ...passOn(request, ignore),
    max_tokens: readMaxTokens(request) ?? limitTokens(request.model, options),
    ...placeMessages(request, translateMessages(request.messages, ignore), output.instruction),
    ...translateTools(request),
    ...output.fields,
    ...translateStop(request),
    ...translateTier(request, ignore),
    ...translateMetadata(request, ignore),
  };
  return { body, form: readForm(request, ignore), ignored: [...ignored] };
}

function rejectUnsupported({ n, logprobs, top_logprobs: top, modalities, audio, ...rest }: JsonObject): void {
  if (typeof n === 'number' && n !== 1) {
    throw unsupported('n', 'n must be 1: Claude gives one answer to a request, so send the request again for more.');
  }
  if (logprobs === true) throw unsupported('logprobs', 'logprobs are not told by Claude: leave the field out.');
  if (typeof top === 'number' && top > 0) {
    throw unsupported('top_logprobs', 'top_logprobs are not told by Claude: leave the field out.');
  }
  if (isGiven(audio) || (Array.isArray(modalities) && modalities.includes('audio'))) {
    throw unsupported(isGiven(audio) ? 'audio' : 'modalities', 'Claude answers in text only: ask for no audio.');
  }
  if (isGiven(rest.web_search_options)) {
    const message = 'web_search_options are not known to Claude: send its web_search tool in tools.';
    throw unsupported('web_search_options', message);
  }
}

function passOn(request: JsonObject, ignore: Ignore): JsonObject {
  const passed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request)) {
    if (value === null || TRANSLATED.includes(name)) continue;
    if (IGNORED.includes(name)) ignore(name);
    else passed[name] = value;
  }
  // What OpenAI keeps, Claude does not keep; only the wish to keep is lost.
  if (request.store === true) ignore('store');
  return passed;
}

function readMaxTokens({ max_completion_tokens: newer, max_tokens: older }: JsonObject): unknown {
  return newer ?? older ?? undefined;
}

function limitTokens(model: string, { defaultMaxTokens = Number.POSITIVE_INFINITY }: TranslationOptions): number {
  return Math.min(defaultMaxTokens, findClaudeModel(model).maxOutputTokens);
}

/** System blocks of the client’s own come first, an instruction of ours last. */
function placeMessages(
  { system: own }: JsonObject,
  { system, messages }: TranslatedMessages,
  instruction: string | null,
) {
  const blocks = [
    ...(typeof own === 'string' ? [{ type: 'text', text: own }] : Array.isArray(own) ? (own as JsonObject[]) : []),
    ...system,
    ...(instruction === null ? [] : [{ type: 'text', text: instruction }]),
  ];
  return { ...(blocks.length > 0 ? { system: blocks } : {}), messages };
}

function translateStop({ stop, stop_sequences: own }: JsonObject): JsonObject {
  if (!isGiven(stop)) return isGiven(own) ? { stop_sequences: own } : {};
  return { stop_sequences: [...(Array.isArray(own) ? own : []), ...(Array.isArray(stop) ? stop : [stop])] };
}

function translateTier({ service_tier: tier }: JsonObject, ignore: Ignore): JsonObject {
  if (!isGiven(tier)) return {};
  const known = NATIVE_TIERS.includes(String(tier)) ? tier : TIERS[String(tier)];
  if (known !== undefined) return { service_tier: known };
  ignore('service_tier');
  return {};
}

/** Anthropic’s has one field; OpenAI’s are labels of the client’s own. */
function translateMetadata({ metadata }: JsonObject, ignore: Ignore): JsonObject {
  if (!isGiven(metadata)) return {};
  if (isJsonObject(metadata) && Object.keys(metadata).every((name) => name === 'user_id')) return { metadata };
  ignore('metadata');
  return {};
}

function readForm({ stream, stream_options: options, functions }: JsonObject, ignore: Ignore): AnswerForm {
  if (isGiven(options) && !isJsonObject(options)) throw invalid('stream_options', 'stream_options must be an object.');
  const { include_usage: hasUsage, include_obfuscation: isPadded } = isJsonObject(options) ? options : {};
  if (isPadded === true) ignore('stream_options.include_obfuscation');
  return { isStreamed: stream === true, hasUsage: hasUsage === true, usesFunctions: isGiven(functions) };
}
