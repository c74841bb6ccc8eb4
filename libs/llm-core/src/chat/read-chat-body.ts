import { isJsonObject, type JsonObject } from '../parsing/json-tree.js';

/** A message that somebody said. */
export interface SpokenTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Who of several people with the role said it. */
  readonly name: string | null;
}

/** What Annals reads of a request; everything else is between the client and its model. */
export interface ChatView {
  readonly model: string;
  readonly isStream: boolean;
  /** Whether the client asks for the usage of a stream. */
  readonly asksUsage: boolean;
  /** Number of answers. */
  readonly choices: number;
  /** Null where the client names none. */
  readonly maxOutputTokens: number | null;
  /** How many of what doubles the list price at most it asks for: a service tier, a region, a long life in the cache. */
  readonly surcharges: number;
  /** A field of the request whose cost has no bound by tokens; null for none. */
  readonly pricedApart: string | null;
  /** Images and files in the messages. */
  readonly images: number;
  readonly files: number;
  /** What users and assistants said, in order: no instructions, no results of tools, no messages without words. */
  readonly turns: readonly SpokenTurn[];
  /** The role of the last message; null without messages. */
  readonly lastRole: string | null;
  /** What the user said last; null when they said nothing in words. */
  readonly question: string | null;
}

/**
 * Fields that cost something else than tokens of the model that is named: searches, sounds, code that runs at the
 * provider, and other models that a router asks instead.
 */
const PRICED_APART = [
  'web_search_options',
  'audio',
  'mcp_servers',
  'container',
  'context_management',
  'models',
  'fallbacks',
  'plugins',
  'search_parameters',
] as const;
/** Tools of other types run at the provider, which charges for each use. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);
/** Whole numbers that limit an answer; a server may read text as a number where we do not. */
const COUNTS = ['n', 'max_tokens', 'max_completion_tokens'] as const;

function findPricedApart(body: JsonObject, { isKnown }: PartCount): string | null {
  const { tools } = body;
  const isSent = (name: string) => body[name] !== undefined && body[name] !== null;
  if (Array.isArray(tools) && tools.filter(isJsonObject).some(({ type }) => !OWN_TOOLS.has(type))) return 'tools';
  if (!isKnown) return 'messages';
  return PRICED_APART.find(isSent) ?? COUNTS.find((name) => isSent(name) && readCount(body[name]) === null) ?? null;
}

const DEAR_TIERS: ReadonlySet<unknown> = new Set(['priority', 'fast']);
/** A lifetime in the cache other than the ones whose price is in the catalog. Inside a text, quotes are escaped. */
const LONG_LIFETIME = /"ttl"\s*:\s*"(?!5m"|30m")/;

/** Each doubles the price at most. */
function countSurcharges({ service_tier: tier, speed, inference_geo: geo }: JsonObject, text: string): number {
  const isRegional = geo !== undefined && geo !== null;
  return [DEAR_TIERS.has(tier) || speed === 'fast', isRegional, LONG_LIFETIME.test(text)].filter(Boolean).length;
}

interface PartCount {
  readonly images: number;
  readonly files: number;
  /** Whether the size of all parts is known. */
  readonly isKnown: boolean;
}

const IMAGES: ReadonlySet<unknown> = new Set(['image_url', 'image']);
const FILES: ReadonlySet<unknown> = new Set(['file', 'document']);
/** They have their whole content with them. */
const PLAIN_PARTS: ReadonlySet<unknown> = new Set([
  'text',
  'refusal',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
]);
const MAX_DEPTH = 4;

/** Of content in messages, also of results of tools and documents inside of it. */
function countParts(content: unknown, depth = 0): PartCount {
  let [images, files, isKnown] = [0, 0, true];
  if (!Array.isArray(content)) return { images, files, isKnown };
  for (const part of content.filter(isJsonObject)) {
    const { type } = part;
    if (IMAGES.has(type)) images += 1;
    else if (FILES.has(type)) files += 1;
    else if (!PLAIN_PARTS.has(type)) isKnown = false;
    const inner = [part['content'], isJsonObject(part['source']) ? part['source']['content'] : undefined];
    for (const each of inner) {
      if (!Array.isArray(each)) continue;
      if (depth === MAX_DEPTH) return { images, files, isKnown: false };
      const counted = countParts(each, depth + 1);
      images += counted.images;
      files += counted.files;
      isKnown &&= counted.isKnown;
    }
  }
  return { images, files, isKnown };
}

function sumParts(messages: readonly JsonObject[]): PartCount {
  const counted = messages.map(({ content }) => countParts(content));
  return {
    images: counted.reduce((sum, { images }) => sum + images, 0),
    files: counted.reduce((sum, { files }) => sum + files, 0),
    isKnown: counted.every(({ isKnown }) => isKnown),
  };
}

/** Reads a request of any shape; what is not as the API has it counts as left out. `text`: the same as JSON. */
export function readChatBody(body: JsonObject, text: string): ChatView {
  const messages = (Array.isArray(body['messages']) ? body['messages'] : []).filter(isJsonObject);
  const turns = messages.flatMap(readTurn);
  const last = messages.at(-1);
  const parts = sumParts(messages);
  return {
    model: String(body['model']),
    isStream: body['stream'] === true,
    asksUsage: isJsonObject(body['stream_options']) && body['stream_options']['include_usage'] === true,
    choices: readCount(body['n']) ?? 1,
    maxOutputTokens: readLimit(body),
    surcharges: countSurcharges(body, text),
    pricedApart: findPricedApart(body, parts),
    images: parts.images,
    files: parts.files,
    turns,
    lastRole: last === undefined ? null : String(last['role']),
    question: turns.findLast(({ role }) => role === 'user')?.text ?? null,
  };
}

function readTurn(message: JsonObject): SpokenTurn[] {
  const { role, name } = message;
  if (role !== 'user' && role !== 'assistant') return [];
  const text = readContent(message['content']);
  if (text.trim() === '') return [];
  return [{ role, text, name: typeof name === 'string' && name !== '' ? name : null }];
}

/** The text of a message; of images, files and sounds there is none. */
export function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isJsonObject)
    .flatMap((part) => (part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

/** The larger of two: which one a server takes is its business. */
function readLimit(body: JsonObject): number | null {
  const limits = [readCount(body['max_completion_tokens']), readCount(body['max_tokens'])].filter(
    (each) => each !== null,
  );
  return limits.length === 0 ? null : Math.max(...limits);
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
