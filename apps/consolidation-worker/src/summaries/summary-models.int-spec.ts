import { drawEnergy, readEnergy } from '@annals/storage';
import {
  type FakeModels,
  type FakeRequest,
  createTestDatabase,
  startFakeModels,
  type TestDatabase,
  waitUntil,
} from '@annals/testing';
import { SummaryService } from './summary-service.fixture.js';

const LINE = /^(m\d+) ([^:]+): (.*)$/gmu;

/** One true sentence of the last message that was shown. */
function quoteLast({ userTexts }: FakeRequest): { text: string; sources: string[] } {
  const [, label, speaker, words] = [...userTexts[0]!.matchAll(LINE)].at(-1)!;
  return { text: `${speaker} said “${words!.split('. ', 1)[0]!.replace(/\.$/u, '')}”.`, sources: [label!] };
}

const LIE = { text: 'Quentin paid 4,711 euros on 3 February 2031.', sources: ['m1'] };

const answerOf = (...sentences: object[]) => JSON.stringify({ sentences });

describe('summaries by a model', () => {
  let database: TestDatabase;
  let models: FakeModels;
  let service: SummaryService;
  let answer: (request: FakeRequest) => string;

  const env = () => ({
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_CLAUDE_API_KEY: 'sk-ant-test-0123456789',
    MEMORY_LLM_CLAUDE_BASE_URL: models.anthropicUrl,
    MEMORY_LLM_CLAUDE_REQUESTS_PER_MINUTE: '0',
    MEMORY_LLM_CLAUDE_TOKENS_PER_MINUTE: '0',
    MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000',
  });

  beforeAll(async () => {
    database = await createTestDatabase();
    models = await startFakeModels({ answer: (request) => answer(request) });
    service = await SummaryService.start(database, { env: env() });
  });
  afterAll(async () => {
    await service?.stop();
    await models?.close();
    await database?.drop();
  });

  const calls = () => models.journal.generated.length;
  const tell = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `My neighbour Ben sold ${index + 20} old lamps in Porto and bought a boat.`,
    );
  const summarize = async (threadId: string, messages = tell(12)) => {
    const before = calls();
    const id = await service.post(threadId, messages, { end: true });
    const work = await service.waitForRest(id);
    return { id, work, calls: calls() - before };
  };

  it('stores what a model says, with provider and cost of the run, and asks nothing again', async () => {
    answer = (request) => answerOf(quoteLast(request));
    const { id, calls: made } = await summarize('told');
    expect(made).toBe(1);
    const whole = await service.readWhole(id);
    expect(whole).toMatchObject({ provider: 'claude', toSeq: 11 });
    expect(whole!.sentences).toHaveLength(1);
    expect(await service.listRuns(id)).toMatchObject([{ state: 'done', calls: 1, energy: 6 }]);
    const before = calls();
    await service.ask(id);
    await service.waitForRest(id);
    expect(calls()).toBe(before);
  });

  it('sends a lie back once, and leaves out what stays wrong', async () => {
    answer = (request) => answerOf(quoteLast(request), LIE);
    const { id, calls: made } = await summarize('lying');
    expect(made).toBe(2);
    const whole = await service.readWhole(id);
    expect(whole!.sentences.map(({ text }) => text).join(' ')).not.toContain('Quentin');
    expect(whole!.sentences).toHaveLength(1);
    expect(await service.listRuns(id)).toMatchObject([{ calls: 2, energy: 12, counts: { rejected_sentences: 1 } }]);
  });

  it('takes the corrected answer', async () => {
    answer = (request) => (request.userTexts.length > 1 ? answerOf(quoteLast(request)) : 'no JSON');
    const { id, calls: made } = await summarize('corrected');
    expect(made).toBe(2);
    expect(await service.readWhole(id)).toMatchObject({ provider: 'claude' });
  });

  it('keeps what was made before a chunk that fails, and asks for that one alone again', async () => {
    const isOf = (index: number) => (request: FakeRequest) => request.userTexts[0]!.includes(`sold ${index + 20} old`);
    const [isFirst, isSecond] = [isOf(0), isOf(200)];
    const requests: FakeRequest[] = [];
    let isLying = true;
    answer = (request) => {
      requests.push(request);
      return answerOf(isLying && isSecond(request) ? LIE : quoteLast(request));
    };
    const id = await service.post('partly', tell(400), { end: true });
    const hasFailed = async () => (await service.listRuns(id)).some(({ state }) => state === 'failed');
    await waitUntil(hasFailed, { describe: 'the chunk has failed in a run of its own' });
    const parts = await service.readAll(id);
    expect(parts).toMatchObject([{ tier: 'L1', position: 0, provider: 'claude' }]);
    expect(requests.filter(isFirst)).toHaveLength(1);
    isLying = false;
    service.advance(3_600_000);
    await waitUntil(async () => (await service.readWhole(id)) !== undefined, { describe: 'it is summarised' });
    expect(requests.filter(isFirst)).toHaveLength(1);
    expect((await service.readAll(id)).find(({ id: made }) => made === parts[0]!.id)).toEqual(parts[0]);
  });

  it('fails visibly when nothing is right, and asks no more until the conversation changes', async () => {
    answer = () => answerOf(LIE);
    const { id } = await summarize('broken');
    const countRuns = async () => (await service.listRuns(id)).filter(({ state }) => state === 'failed').length;
    for (const runs of [1, 2]) {
      expect(await countRuns()).toBe(runs);
      service.advance(3_600_000);
      await waitUntil(async () => (await countRuns()) > runs, { describe: 'the work has run again' });
    }
    await waitUntil(async () => (await service.findWork(id))?.status === 'failed', { describe: 'the work has failed' });
    expect(await service.findWork(id)).toMatchObject({ failure_code: 'ungrounded' });
    expect(await service.readAll(id)).toEqual([]);
    const failed = await service.listRuns(id);
    expect(failed.every(({ state, failure_code }) => state === 'failed' && failure_code === 'ungrounded')).toBe(true);
    const before = calls();
    await service.ask(id);
    await waitUntil(async () => (await service.findWork(id))?.failure_code === 'too_many_failures', {
      describe: 'the work sleeps',
    });
    expect(calls()).toBe(before);
    answer = (request) => answerOf(quoteLast(request));
    await service.post('broken', tell(1), { end: true });
    await waitUntil(async () => (await service.readWhole(id)) !== undefined, { describe: 'it is summarised' });
  });

  it('waits for energy when nothing is right and there is none to correct it', async () => {
    answer = () => answerOf(LIE);
    await service.inTenant(async (tx) => {
      const request = { now: service.clock.now(), limits: { capacity: 1_000, refillPerHour: 100 } };
      const { levelMilli } = await readEnergy(tx, request);
      // Above the reserve: enough for one call.
      const units = Math.floor(levelMilli / 1_000) - 200 - 7;
      expect(await drawEnergy(tx, { ...request, kind: 'insights', units })).toMatchObject({ drawn: true });
    });
    const before = calls();
    const id = await service.post('scarce', tell(12), { end: true });
    const waits = async () => (await service.findWork(id))?.deferred_reason === 'energy';
    await waitUntil(waits, { describe: 'the summary waits for energy' });
    expect(calls() - before).toBe(1);
    expect(await service.listRuns(id)).toMatchObject([{ state: 'deferred', failure_code: null, calls: 1, energy: 6 }]);
    answer = (request) => answerOf(quoteLast(request));
    service.advance(3_600_000);
    await waitUntil(async () => (await service.readWhole(id)) !== undefined, { describe: 'it is summarised' });
    expect(await service.listRuns(id)).toMatchObject([{ state: 'done', calls: 2, energy: 12 }]);
  });
});
