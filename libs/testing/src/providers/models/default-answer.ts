import type { FakeRequest } from './fake-request.js';

/** One message of the prompt that an answer may cite. */
export interface PromptMessage {
  readonly name: string;
  readonly role: string;
  readonly text: string;
}

const MAX_SENTENCE = 280;

/**
 * A valid `memory_llm_response_v1`: one memory for each message of a user, grounded in its words. The same prompt has
 * the same answer, byte for byte.
 */
export function answerFromPrompt(request: FakeRequest): string {
  const memories = readPromptMessages(request.userTexts[0] ?? '')
    .filter(({ role, text }) => role === 'user' && text.trim() !== '')
    .map(({ name, text }) => buildMemory(name, text.trim()));
  return JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories });
}

function buildMemory(name: string, text: string) {
  const quote = firstSentence(text);
  return {
    content: `The user said: ${quote}`,
    category: 'facts',
    type: 'semantic',
    importance: 3,
    confidence: 0.9,
    evidence: [{ message_id: name, quote }],
  };
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0]!;
  const sentence = /^.*?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line;
  return sentence.length <= MAX_SENTENCE ? sentence : sentence.slice(0, sentence.lastIndexOf(' ', MAX_SENTENCE));
}

// A message starts with its short name at the start of a line: `[m1] user …: text`, `m1 user: text`, `<m1 user>text`.
const MESSAGE_HEAD = /^[[(<#*\s]*(m\d+)\b[^\S\n]*([^:\n>]*)[:>][^\S\n]*/gm;

/** Finds the messages in the user part of a prompt. Context (`c1`, …) is none. */
export function readPromptMessages(prompt: string): PromptMessage[] {
  const heads = [...prompt.matchAll(MESSAGE_HEAD)];
  return heads.map((head, place) => {
    const rest = prompt.slice(head.index + head[0].length, heads[place + 1]?.index);
    return { name: head[1]!, role: readRole(head[2]!), text: rest.split(/\n\s*\n|\n(?=<|#|\[?c\d+)/, 1)[0]!.trim() };
  });
}

function readRole(words: string): string {
  return /\b(user|assistant|system|tool)\b/i.exec(words)?.[1]?.toLowerCase() ?? 'user';
}
