import { hashContent } from '@annals/domain';
import type { FakeModels } from '@annals/testing';
import type { ExtractionService } from '../extraction-service.fixture.js';
import { answeredMemory, answerWith, ExtractionWithModel } from '../extraction-with-model.fixture.js';

const FACTS = ['plays the cello', 'lives in Ghent', 'has two cats', 'works at night', 'likes rain', 'reads a lot'];
/** Longer than 300 characters, with all the facts of this test. */
const LONG = `Let me tell you a bit about Ana. ${FACTS.map((fact) => `Ana ${fact}. That is how it is, and it has been so for years.`).join(' ')}`;

const memories = (facts: readonly string[]) =>
  answerWith(...facts.map((fact) => answeredMemory('m1', `Ana ${fact}`, `Ana ${fact}.`))).text;

describe('a long message with too few memories', () => {
  let extraction: ExtractionWithModel;
  let models: FakeModels;
  let service: ExtractionService;

  beforeAll(async () => {
    extraction = await ExtractionWithModel.start({
      MEMORY_LLM_MULTI_FACT_MIN_CHARS: '300',
      MEMORY_LLM_MULTI_FACT_DAILY_CALLS: '3',
    });
    ({ models, service } = extraction);
  });
  beforeEach(() => extraction.reset());
  afterAll(() => extraction?.stop());

  const countDropped = async () => {
    const { body } = await service.running.infrastructure.metrics.render();
    return Number(/^memory_llm_multi_fact_dropped_total (\d+)$/m.exec(body)?.[1] ?? 0);
  };
  /** The answers of the calls, in order. */
  const answerInTurn = (...texts: string[]) => {
    let count = 0;
    models.behave(() => ({ kind: 'answer', text: texts[Math.min(count++, texts.length - 1)]! }));
  };

  it('is extracted with one call, without a limit, when the model finds enough', async () => {
    answerInTurn(memories(FACTS));
    const id = await service.post([['user', LONG]]);
    await service.waitFor(id, 'persisting');
    expect(extraction.calls).toHaveLength(1);
    expect(await extraction.readContents(id)).toHaveLength(FACTS.length);
    expect(extraction.calls[0]!.request.userTexts[0]).toMatch(/<\/conversation>\nlong: m1/);
    expect(await extraction.readDiagnostics(id, 'multiFact')).toBeNull();
  });

  it('is sent once more on its own, for at most three memories, through the ledger', async () => {
    answerInTurn(memories([]), memories(FACTS));
    const id = await service.post([
      ['user', LONG],
      ['user', 'Bye.'],
    ]);
    await service.waitFor(id, 'persisting');
    expect(extraction.calls).toHaveLength(2);
    expect(extraction.calls[1]!.request.userTexts[0]).not.toContain('Bye.');
    expect(await extraction.readContents(id)).toHaveLength(3);
    expect(await extraction.readDiagnostics(id, 'multiFact')).toMatchObject({
      turns: 1,
      candidates: 6,
      added: 3,
      skippedReason: null,
    });
    const rows = await service.inTenant((tx) =>
      tx.query<{ operation: string }>('SELECT operation FROM usage WHERE batch_id = $1', [id]),
    );
    expect(rows.map(({ operation }) => operation).toSorted()).toEqual(['extraction', 'multi_fact']);
  });

  it('has at most three memories of both calls, the most important that are well written, and a report', async () => {
    const first = memories(FACTS.slice(0, 1)).replace('"importance":2', '"importance":1');
    const second = memories(FACTS.slice(1, 5)).replace('Ana likes rain.', 'We like rain.');
    const before = await countDropped();
    answerInTurn(first, second);
    const id = await service.post([['user', LONG]]);
    await service.waitFor(id, 'persisting');
    expect(await extraction.readContents(id)).toEqual([
      'Ana has two cats.',
      'Ana lives in Ghent.',
      'Ana works at night.',
    ]);
    expect(await extraction.readDiagnostics(id, 'multiFact')).toEqual({
      turns: 1,
      candidates: 4,
      added: 2,
      dropped: [hashContent('Ana plays the cello.')],
      skippedReason: null,
    });
    expect(await countDropped()).toBe(before + 1);
  });

  it('gets no second pass when the user’s daily limit is reached', async () => {
    answerInTurn(memories([]), memories([]));
    await service.waitFor(await service.post([['user', LONG]]), 'persisting');
    models.journal.clear();
    answerInTurn(memories([]), memories(FACTS));
    const id = await service.post([['user', LONG]]);
    await service.waitFor(id, 'persisting');
    expect(extraction.calls).toHaveLength(1);
    expect(await extraction.readDiagnostics(id, 'multiFact')).toEqual({
      turns: 1,
      candidates: 0,
      added: 0,
      dropped: [],
      skippedReason: 'capped',
    });
  });
});
