import { hash } from 'node:crypto';
import { loadTokenCounter } from '../tokens/count-tokens.js';
import { buildExtractionPrompt } from './build-extraction-prompt.js';
import { PROMPT_VERSION } from './prompt-template.js';
import { SAMPLE_CONVERSATION } from './sample-conversation.fixture.js';

const prompt = buildExtractionPrompt({
  excerpt: {
    messages: SAMPLE_CONVERSATION.filter(({ role }) => role === 'user'),
    context: SAMPLE_CONVERSATION.filter(({ role }) => role === 'assistant'),
  },
  moods: new Map([[SAMPLE_CONVERSATION[6]!.id, -0.6]]),
  deltas: new Map([[SAMPLE_CONVERSATION[6]!.id, { magnitude: 0.5, direction: 'fall' as const }]]),
});

describe('the extraction prompt', () => {
  it('has a new version for every change of its wording', () => {
    const wording = hash('sha256', JSON.stringify([prompt.system, prompt.schema, prompt.user])).slice(0, 16);
    // If the change is intended, raise PROMPT_VERSION and update both values here.
    expect([PROMPT_VERSION, wording]).toEqual(['extraction-6', '739665df8368aea5']);
    expect(prompt.version).toBe(PROMPT_VERSION);
  });

  it('is long enough for prompt caching and within its token targets', async () => {
    const count = await loadTokenCounter();
    const tokens = {
      system: count(prompt.system),
      schema: count(JSON.stringify(prompt.schema)),
      user: count(prompt.user),
    };
    expect(tokens.system).toBeGreaterThanOrEqual(1_024);
    // 1 700 by the encoder; the counter takes JSON without blanks in pieces, which adds some 40.
    expect(tokens.system + tokens.schema).toBeLessThanOrEqual(1_740);
    // Target T4: at most 2 500 prompt tokens for ten messages.
    expect(tokens.system + tokens.schema + tokens.user).toBeLessThanOrEqual(2_000);
    // Overhead of ten messages in addition to their content.
    const words = count(SAMPLE_CONVERSATION.map(({ content }) => content).join('\n'));
    expect(tokens.user - words).toBeLessThanOrEqual(70);
  });

  it('has the same system text and schema for any conversation', () => {
    const other = buildExtractionPrompt({ excerpt: { messages: [], context: [] }, user: { id: 'ana', names: [] } });
    expect(other.system).toBe(prompt.system);
    expect(other.schema).toBe(prompt.schema);
  });
});
