import { type FakeRequest, isRecord } from './fake-request.js';
import { answerMind, parseMind } from './mind-answers.js';

/** One message of the prompt that an answer may cite. */
export interface PromptMessage {
  /** `m1`, `m2`, …. */
  readonly name: string;
  readonly speaker: string;
  readonly text: string;
}

/**
 * With the words around it, a memory of at most 280 characters (docs/reference/writing-constraints.md#length-limits).
 */
const MAX_SENTENCE = 240;

/**
 * The default answer to each kind of prompt: memories of a conversation, decisions that add every new statement,
 * sentences rewritten as quotes of the speaker, or what a mind asks for. The same prompt has the same answer, byte for
 * byte.
 */
export function answerFromPrompt(request: FakeRequest): string {
  if (parseMind(request) !== null) return answerMind(request);
  if (request.system.includes(APP_MEMORY_FORMAT)) return APP_MEMORY_ANSWER;
  const shown = request.userTexts[0] ?? '';
  const names = parseShownNames(shown);
  if (names.length > 0) return JSON.stringify({ decisions: names.map(decideNothing) });
  return shown.startsWith('<sentences>\n') ? rewriteSentences(shown) : answerWithMemories(request);
}

/** The form of the answer, as the prompt for an app memory states it. */
const APP_MEMORY_FORMAT = '{"memory":"..."}';
/** It states nothing of its own. */
const APP_MEMORY_ANSWER = JSON.stringify({ memory: 'The user told about what keeps them busy.' });

const SENTENCE_LINE = /^(s\d+) \([^,]*, [\d-]+, ([^;]*);.*? from: "(.*)"$/gmu;

function rewriteSentences(prompt: string): string {
  const sentences = [...prompt.matchAll(SENTENCE_LINE)].map(([, id, speaker, quote]) => ({
    id,
    content: reportSpeech(speaker!, quote!),
  }));
  return JSON.stringify({ sentences });
}

/**
 * A valid form of a memory (docs/reference/writing-constraints.md#rules-that-are-checked) for any text, since the rules
 * do not apply between quotation marks.
 */
function reportSpeech(speaker: string, quote: string): string {
  const name = speaker === 'user' ? 'The user' : speaker.replace(/^participant\b/u, 'Another participant');
  return `${name} said: “${quote}”`;
}

/** A decision that changes nothing: the memory stays, the statement is added. */
export function decideNothing(id: string): { id: string; event: 'NONE' | 'ADD'; with: null } {
  return { id, event: id.startsWith('n') ? 'ADD' : 'NONE', with: null };
}

const SHOWN_LINE = /^([en]\d+) \((?:revision|said) [^)]*\): /gmu;

/** The short ids of statements and memories in a reconciliation prompt, in order; none for other prompts. */
export function parseShownNames(prompt: string): string[] {
  if (!prompt.includes('<existing>\n')) return [];
  return [...prompt.matchAll(SHOWN_LINE)].map(([, name]) => name!);
}

/**
 * A valid `memory_llm_response_v1`: one grounded memory for each message of a user. If the request has a schema, the
 * memories have every property that it requires.
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

/** Null or an empty list for each property that the schema requires and the default answer does not fill. */
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

// `m3 Ana ↓-0.6: We broke up.`: short id, speaker, an optional mood mark, the content on the same line.
const MESSAGE_LINE = /^(m\d+) ((?:participant \([^)\n]*\))?[^:\n]*?)(?: [↑↓][-\d.]*)?: (.*\S)/gmu;

/** Parses the messages that an answer may cite from the user part of a prompt. */
export function parsePromptMessages(prompt: string): PromptMessage[] {
  return [...prompt.matchAll(MESSAGE_LINE)].map(([, name, speaker, text]) => ({
    name: name!,
    speaker: speaker!,
    text: text!,
  }));
}
