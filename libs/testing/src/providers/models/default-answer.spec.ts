import { buildExtractionPrompt, parseAnswer } from '@annals/llm-core';
import { groundMemory } from '@annals/domain';
import { answerFromPrompt, parsePromptMessages } from './default-answer.js';
import type { FakeRequest } from './fake-request.js';

const MESSAGES = [
  { id: 'a', role: 'user' as const, actorId: 'Ana', content: 'I broke: my leg.\nIt hurts!', createdAt: 0 },
  { id: 'b', role: 'assistant' as const, actorId: null, content: 'I am sorry.', createdAt: 1 },
  { id: 'c', role: 'user' as const, actorId: 'Ana', content: 'Ich wohne in Köln.', createdAt: 90_000_000 },
];
const PROMPT = buildExtractionPrompt({ excerpt: { messages: MESSAGES, context: [] } });

function answerPrompt(extra: Partial<FakeRequest> = {}): string {
  const request = { system: PROMPT.system, userTexts: [PROMPT.user], body: {}, outputMode: 'text', ...extra };
  return answerFromPrompt(request as FakeRequest);
}

describe('the default answer of the fake models', () => {
  it('parses the messages of the extraction prompt', () => {
    expect(parsePromptMessages(PROMPT.user).map(({ text }) => text)).toEqual([
      'I broke: my leg. It hurts!',
      'Ich wohne in Köln.',
    ]);
  });

  it('calls another participant by the label of the prompt', () => {
    const said = { id: 'd', role: 'user' as const, actorId: 'slack:U0423', content: 'I like tea.', createdAt: 0 };
    const { user } = buildExtractionPrompt({ excerpt: { messages: [said], context: [] } });
    const { memories } = parseAnswer(answerPrompt({ userTexts: [user] }), { truncated: false });
    expect(memories.map(({ content }) => content)).toEqual(['Another participant (slack:U0423) said: “I like tea.”']);
  });

  it('has one grounded memory for each message of a user', () => {
    const { memories } = parseAnswer(answerPrompt(), { truncated: false });
    expect(memories).toHaveLength(2);
    const byName = new Map([...PROMPT.messageIds].map(([name, id]) => [name, MESSAGES.find((m) => m.id === id)!]));
    for (const memory of memories) expect(groundMemory(memory, byName)).toMatchObject({ grounded: true });
  });

  it('has every property that the schema of the request requires', () => {
    const response_format = { type: 'json_schema', json_schema: { schema: PROMPT.schema } };
    const byOpenAI = answerPrompt({ outputMode: 'schema', body: { response_format } });
    const output_config = { format: { type: 'json_schema', schema: PROMPT.schema } };
    expect(answerPrompt({ outputMode: 'schema', body: { output_config } })).toBe(byOpenAI);
    const memories = (JSON.parse(byOpenAI) as { memories: object[] }).memories;
    const shape = (PROMPT.schema as { properties: { memories: { items: { required: string[] } } } }).properties;
    for (const memory of memories) {
      expect(Object.keys(memory).toSorted()).toEqual(shape.memories.items.required.toSorted());
    }
  });
});
