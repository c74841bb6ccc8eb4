import { loadTokenCounter } from '@annals/llm-core';
import type { JournalEntry } from '@annals/testing';
import { atMost, type Row } from '../frame/row.ts';
import { median } from '../frame/statistics.ts';

type Body = JournalEntry['request']['body'];

/**
 * Target T4 (docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job): what one side's requests sent
 * per job, counted by o200k from the bytes in the journal. A request with structured output that the endpoint rejects
 * is free, and each process sends it only once.
 */
export async function describePrompts(name: string, sent: readonly JournalEntry[], jobs: number): Promise<Row[]> {
  const requests = sent.filter(({ action }) => action !== 'refused_400');
  const count = await loadTokenCounter();
  const sizes = requests.map(({ request }) => {
    const stable = count(request.system) + count(JSON.stringify(extractSchema(request.body)));
    return { stable, all: stable + request.userTexts.reduce((sum, text) => sum + count(text), 0) };
  });
  const tokens = median(sizes.map(({ all }) => all));
  const largest = Math.max(...sizes.map(({ all }) => all));
  const stableTokens = median(sizes.map(({ stable }) => stable));
  const calls = requests.length / jobs;
  const prefixes = new Set(requests.map(({ request }) => JSON.stringify(stripConversation(request.body)))).size;
  return [
    {
      id: 'T4',
      what: `${name}: chat calls a job`,
      value: calls,
      unit: '',
      target: { text: '= 1', met: calls === 1 },
      details: { refused: sent.length - requests.length },
    },
    {
      id: 'T4',
      what: `${name}: prompt tokens a conversation (o200k; system, schema, words)`,
      value: tokens,
      unit: '',
      target: atMost(largest, 2_500, '<= 2,500, largest too'),
      details: { largest, stableTokens },
    },
    {
      id: 'T4',
      what: `${name}: share of the prompt that is the stable prefix`,
      value: (stableTokens / tokens) * 100,
      unit: '%',
    },
    {
      id: 'T4',
      what: `${name}: different requests, the words of the conversation aside`,
      value: prefixes,
      unit: '',
      target: { text: '= 1', met: prefixes === 1 },
    },
  ];
}

function extractSchema({ output_config: claude, response_format: openai }: Body): unknown {
  const schema = find(claude, 'format', 'schema') ?? find(openai, 'json_schema', 'schema');
  if (schema === undefined) throw new Error('A request has no response schema.');
  return schema;
}

function find(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value);
}

/** Everything in a request except users' text, in its original order, since a prompt cache compares bytes. */
function stripConversation(body: Body): Body {
  const messages = body.messages as readonly { role: string }[];
  return { ...body, messages: messages.filter(({ role }) => role !== 'user') };
}
