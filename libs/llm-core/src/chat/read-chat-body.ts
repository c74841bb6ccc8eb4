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
  /** Whether it asks for what costs up to twice the list price: a service tier, a region, a long life in the cache. */
  readonly isDear: boolean;
  /** A field of the request that costs something else than tokens; null for none. */
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

type Fields = Readonly<Record<string, unknown>>;

const PRICED_APART = ['web_search_options', 'audio', 'mcp_servers', 'container'] as const;
/** Tools of other types run at the provider, which charges for each use. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom']);

function findPricedApart(body: Fields): string | null {
  const { tools } = body;
  if (Array.isArray(tools) && tools.filter(isObject).some(({ type }) => !OWN_TOOLS.has(type))) return 'tools';
  return PRICED_APART.find((name) => body[name] !== undefined && body[name] !== null) ?? null;
}

const DEAR_TIERS: ReadonlySet<unknown> = new Set(['priority', 'fast']);
/** Lifetimes whose price is the one of the catalog. */
const SHORT_LIFETIMES: ReadonlySet<unknown> = new Set([undefined, '5m', '30m']);

function isDear(body: Fields, parts: readonly Fields[]): boolean {
  const { service_tier: tier, speed, inference_geo: geo, tools } = body;
  if (DEAR_TIERS.has(tier) || speed === 'fast' || (geo !== undefined && geo !== null)) return true;
  const marked = [body, ...parts, ...(Array.isArray(tools) ? tools.filter(isObject) : [])];
  return marked
    .flatMap((each) => [each['cache_control'], each['prompt_cache_breakpoint'], each['prompt_cache_options']])
    .some((mark) => isObject(mark) && !SHORT_LIFETIMES.has(mark['ttl']));
}

/** Reads a request of any shape; what is not as the API has it counts as left out. */
export function readChatBody(body: Fields): ChatView {
  const messages = (Array.isArray(body['messages']) ? body['messages'] : []).filter(isObject);
  const turns = messages.flatMap(readTurn);
  const last = messages.at(-1);
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  const count = (...types: unknown[]) => parts.filter(({ type }) => types.includes(type)).length;
  return {
    model: String(body['model']),
    isStream: body['stream'] === true,
    asksUsage: isObject(body['stream_options']) && body['stream_options']['include_usage'] === true,
    choices: readCount(body['n']) ?? 1,
    maxOutputTokens: readCount(body['max_completion_tokens']) ?? readCount(body['max_tokens']),
    isDear: isDear(body, parts),
    pricedApart: findPricedApart(body),
    images: count('image_url', 'image'),
    files: count('file', 'document'),
    turns,
    lastRole: last === undefined ? null : String(last['role']),
    question: turns.findLast(({ role }) => role === 'user')?.text ?? null,
  };
}

function readTurn(message: Fields): SpokenTurn[] {
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
    .filter(isObject)
    .flatMap((part) => (part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
