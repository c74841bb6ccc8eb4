import { hash } from 'node:crypto';
import { loadTokenCounter } from '../tokens/count-tokens.js';
import { buildExtractionPrompt } from './build-extraction-prompt.js';
import { PROMPT_VERSION } from './prompt-version.js';
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
  it('has a version of its own for every wording', () => {
    const wording = hash('sha256', JSON.stringify([prompt.system, prompt.schema, prompt.user])).slice(0, 16);
    // Was this meant to change? Then raise PROMPT_VERSION and put both values here.
    expect([PROMPT_VERSION, wording]).toEqual(['extraction-4', 'c302b3c14ab8cf36']);
    expect(prompt.version).toBe(PROMPT_VERSION);
  });

  it('is long enough to be cached and short enough to be cheap', async () => {
    const count = await loadTokenCounter();
    const tokens = {
      system: count(prompt.system),
      schema: count(JSON.stringify(prompt.schema)),
      user: count(prompt.user),
    };
    expect(tokens.system).toBeGreaterThanOrEqual(1_024);
    expect(tokens.system + tokens.schema).toBeLessThanOrEqual(1_700);
    // Target T4: at most 2 500 prompt tokens for ten messages.
    expect(tokens.system + tokens.schema + tokens.user).toBeLessThanOrEqual(2_000);
    // What ten messages cost above their words.
    const words = count(SAMPLE_CONVERSATION.map(({ content }) => content).join('\n'));
    expect(tokens.user - words).toBeLessThanOrEqual(70);
  });

  it('begins with the same bytes for any conversation', () => {
    const other = buildExtractionPrompt({ excerpt: { messages: [], context: [] }, subjectName: 'Ana' });
    expect(other.system).toBe(prompt.system);
    expect(other.schema).toBe(prompt.schema);
  });
});
