import { type FakeRequest, isRecord } from './fake-request.js';

/** One message of the prompt that an answer may cite. */
export interface PromptMessage {
  /** `m1`, `m2`, …. */
  readonly name: string;
  readonly speaker: string;
  readonly text: string;
}

/** With what frames it, a memory of at most 280 characters (docs/reference/writing-constraints.md#length-limits). */
const MAX_SENTENCE = 240;

/**
 * A plain answer to what is asked: memories of a conversation, decisions about new statements, all of which are new, or
 * sentences told as what the speaker said.
 * The same prompt has the same answer, byte for byte.
 */
export function answerFromPrompt(request: FakeRequest): string {
  const shown = request.userTexts[0] ?? '';
  const names = parseShownNames(shown);
  if (names.length > 0) return JSON.stringify({ decisions: names.map(decideNothing) });
  return shown.startsWith('<sentences>\n') ? rewriteSentences(shown) : answerWithMemories(request);
}

const SENTENCE_LINE = /^(s\d+) \([^,]*, [\d-]+, ([^;]*);.*? from: "(.*)"$/gmu;

function rewriteSentences(prompt: string): string {
  const sentences = [...prompt.matchAll(SENTENCE_LINE)].map(([, id, speaker, quote]) => ({
    id,
    content: reportSpeech(speaker!, quote!),
  }));
  return JSON.stringify({ sentences });
}

/**
 * The form of a memory (docs/reference/writing-constraints.md#rules-that-are-checked) whatever was said: what stands
 * between quotation marks is somebody's own.
 */
function reportSpeech(speaker: string, quote: string): string {
  return `${speaker === 'user' ? 'The user' : speaker} said: “${quote}”`;
}

/** A decision that changes nothing: the memory stays, the statement is added. */
export function decideNothing(id: string): { id: string; event: 'NONE' | 'ADD'; with: null } {
  return { id, event: id.startsWith('n') ? 'ADD' : 'NONE', with: null };
}

const SHOWN_LINE = /^([en]\d+) \((?:revision|said) [^)]*\): /gmu;

/** The names that a question about statements and memories shows, in its order; none for other questions. */
export function parseShownNames(prompt: string): string[] {
  if (!prompt.includes('<existing>\n')) return [];
  return [...prompt.matchAll(SHOWN_LINE)].map(([, name]) => name!);
}

/**
 * A valid `memory_llm_response_v1`: one memory for each message of a user, grounded in its words. Where the request
 * demands a schema, every property it requires is there.
 */
function answerWithMemories(request: FakeRequest): string {
  const memories = parsePromptMessages(request.userTexts[0] ?? '').map((message) => ({
    ...buildMemory(message),
    ...listEmptyProperties(request),
  }));
  return JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories });
}

function buildMemory({ name, speaker, text }: PromptMessage) {
  const quote = firstSentence(text);
  return {
    content: reportSpeech(speaker, quote),
    category: 'profile',
    type: 'semantic',
    importance: 3,
    confidence: 0.9,
    evidence: [{ message_id: name, quote }],
  };
}

function firstSentence(text: string): string {
  const sentence = /^.*?[.!?。](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.length <= MAX_SENTENCE ? sentence : sentence.slice(0, sentence.lastIndexOf(' ', MAX_SENTENCE));
}

const FILLED = new Set(Object.keys(buildMemory({ name: '', speaker: '', text: '' })));

/** Null or an empty list for what a schema requires of a memory and a plain answer does not tell. */
function listEmptyProperties({ body, outputMode }: FakeRequest): Record<string, null | []> {
  if (outputMode !== 'schema') return {};
  const schema = findMemorySchema(isRecord(body.output_config) ? body.output_config.format : body.response_format);
  const properties = isRecord(schema?.properties) ? Object.entries(schema.properties) : [];
  const empty = properties.filter(([name]) => !FILLED.has(name));
  return Object.fromEntries(
    empty.map(([name, shape]) => [name, isRecord(shape) && shape.type === 'array' ? [] : null]),
  );
}

function findMemorySchema(format: unknown): Record<string, unknown> | undefined {
  const named = isRecord(format) && isRecord(format.json_schema) ? format.json_schema : format;
  const path = ['schema', 'properties', 'memories', 'items'];
  const found = path.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), named);
  return isRecord(found) ? found : undefined;
}

// `m3 Ana ↓-0.6: We broke up.`: short name, speaker, perhaps a mood mark, the words on the same line.
const MESSAGE_LINE = /^(m\d+) ([^:\n]*?)(?: [↑↓][-\d.]*)?: (.*\S)/gmu;

/** Finds the messages in the user part of a prompt that an answer may cite. */
export function parsePromptMessages(prompt: string): PromptMessage[] {
  return [...prompt.matchAll(MESSAGE_LINE)].map(([, name, speaker, text]) => ({
    name: name!,
    speaker: speaker!,
    text: text!,
  }));
}
