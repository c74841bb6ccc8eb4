import {
  createTestDatabase,
  type FakeModels,
  type FakeRequest,
  sized,
  startFakeModels,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import { SummaryService } from './summary-service.fixture.js';

/** Numbers of messages after which the costs are read, each twice the one before it. */
const MARKS = sized([60, 120, 240], [250, 500, 1_000]);
/** Messages between two requests for a summary: a batch may hold several. */
const STEP = sized(10, 1);
/** A label and what it stands for; a message also has its speaker. */
const LINE = /^([msp]\d+)(?: ([^:]+))?: (.*)$/gmu;
const NAMES = ['Ben', 'Ines', 'Oskar', 'Marta', 'Tom'];
const PLACES = ['Porto', 'Lund', 'Split', 'Faro', 'Braga'];

/** Each true: the words of what is shown, as long as the prompt allows. */
function retell({ userTexts }: FakeRequest): string {
  const asked = Number(/at most (\d+) words/u.exec(userTexts[0]!)![1]);
  const shown = [...userTexts[0]!.matchAll(LINE)];
  const sentences: { text: string; sources: string[] }[] = [];
  let words = 0;
  for (const [, label, speaker, content] of shown.toReversed()) {
    const text = speaker === undefined ? content! : `${speaker} said “${content!.replace(/\.$/u, '')}”.`;
    words += text.split(' ').length;
    if (words > asked && sentences.length > 0) break;
    sentences.unshift({ text, sources: [label!] });
  }
  return JSON.stringify({ sentences });
}

const tell = (index: number) =>
  `My neighbour ${NAMES[index % 5]} sold ${index + 20} old brass lamps in ${PLACES[(index * 3) % 5]}, ` +
  'bought a small wooden boat for the money and painted it dark green with a white stripe.';

describe('a conversation that grows message by message', () => {
  let database: TestDatabase;
  let models: FakeModels;
  let service: SummaryService;
  const costs: { messages: number; calls: number; inputTokens: number; outputTokens: number }[] = [];
  let id: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    models = await startFakeModels({ answer: retell });
    service = await SummaryService.start(database, {
      env: {
        MEMORY_LLM_PRIMARY: 'claude',
        MEMORY_LLM_CLAUDE_API_KEY: 'sk-ant-test-0123456789',
        MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
        MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
        MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
      },
    });
    for (let told = 0; told < MARKS.at(-1)!; told += STEP) {
      const messages = Array.from({ length: STEP }, (_, index) => tell(told + index));
      id = await service.post('growing', messages);
      await service.ask(id);
      await service.waitForRest(id);
      if (MARKS.includes(told + STEP)) {
        const { inputTokens, outputTokens } = models.journal.summarize();
        costs.push({ messages: told + STEP, calls: models.journal.generated.length, inputTokens, outputTokens });
      }
    }
  });
  afterAll(async () => {
    await service?.stop();
    await models?.close();
    await database?.drop();
  });

  it('costs calls and tokens in proportion to its length', ({ annotate }) => {
    void annotate(JSON.stringify(costs));
    const [, half, whole] = costs;
    expect(costs[0]!.calls).toBeGreaterThan(0);
    // Twice as long: twice as much, and what the summary of the whole adds as it grows up to its limit.
    for (const cost of ['calls', 'inputTokens', 'outputTokens'] as const) {
      expect([cost, whole![cost] / half![cost]]).toEqual([cost, expect.closeTo(2, 0)]);
    }
    // A summary for each message would be as many calls as messages.
    expect(whole!.calls).toBeLessThan(whole!.messages / 8);
  });

  it('is summarised at the end as one that came at once', async () => {
    await service.post('growing', [tell(MARKS.at(-1)!)], { end: true });
    await waitUntil(async () => (await service.readWhole(id))?.toSeq === MARKS.at(-1), {
      describe: 'the last message is covered',
    });
    const whole = await service.readWhole(id);
    expect(whole!.provider).toBe('claude');
    expect(whole!.sentences.every(({ messageIds }) => messageIds.length > 0)).toBe(true);
  });
});
