import type { FakeModels } from '@annals/testing';
import type { ExtractionService, TestMessage } from '../extraction-service.fixture.js';
import { answeredMemory, answerWith, ExtractionWithModel } from '../extraction-with-model.fixture.js';

const TEST_MESSAGES: readonly TestMessage[] = [
  ['user', 'I moved to Lisbon.'],
  ['user', 'I have a cat called Nox.'],
];

describe('the writing constraints of an answer', () => {
  let extraction: ExtractionWithModel;
  let models: FakeModels;
  let service: ExtractionService;

  beforeAll(async () => {
    extraction = await ExtractionWithModel.start();
    ({ models, service } = extraction);
  });
  beforeEach(() => extraction.reset());
  afterAll(() => extraction?.stop());

  const isExtraction = (userTexts: readonly string[]) => userTexts[0]?.includes('<conversation>') ?? false;
  const listOperations = (id: string) =>
    service.inTenant((tx) =>
      tx.query<{ operation: string; outcome: string }>(
        'SELECT operation, outcome FROM usage WHERE batch_id = $1 ORDER BY ts, id',
        [id],
      ),
    );

  it('cause no call when an answer fulfils them', async () => {
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(extraction.calls).toHaveLength(1);
    expect(await extraction.readDiagnostics(id, 'writing')).toMatchObject({ checked: 2, passed: 2, rejected: [] });
  });

  it('send invalid sentences back to the model in one call, through the ledger', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            answeredMemory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            answeredMemory('m2', 'I have a cat called Nox.', 'They have a cat called Nox.'),
          )
        : undefined,
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await extraction.readContents(id)).toEqual([
      'The user said: “I moved to Lisbon.”',
      'The user said: “I have a cat called Nox.”',
    ]);
    expect(await listOperations(id)).toEqual(
      expect.arrayContaining([
        { operation: 'extraction', outcome: 'ok' },
        { operation: 'writing', outcome: 'ok' },
      ]),
    );
    expect(extraction.calls).toHaveLength(2);
    expect(await extraction.readDiagnostics(id, 'writing')).toMatchObject({
      checked: 2,
      passed: 0,
      rewritten: 2,
      rejected: [],
    });
    expect(service.listEvents('writing_repaired').at(-1)?.context).toMatchObject({ rewritten: 2 });
  });

  it('trim or reject sentences that are still invalid after the rewrite, with the reasons', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            answeredMemory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            answeredMemory(
              'm2',
              'I have a cat called Nox.',
              'Nox is a cat. Nox lives here. Nox is old.'.replace('here', 'well'),
            ),
          )
        : { kind: 'answer', text: '{"sentences":[{"id":"s1","content":"She moved."},{"id":"s2","content":null}]}' },
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await extraction.readContents(id)).toEqual(['Nox is a cat. Nox lives well.']);
    expect(await extraction.readDiagnostics(id, 'writing')).toMatchObject({
      trimmed: 1,
      rejected: [{ place: 0, rules: ['not_third_person'] }],
    });
    const { body } = await service.running.infrastructure.metrics.render();
    expect(body).toMatch(/memory_llm_memories_junk_total\{cause="rejected"\} 1/);
    expect(extraction.calls).toHaveLength(2);
  });

  it('preserve the answer when the rewrite call fails', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            answeredMemory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            answeredMemory('m2', 'I have a cat called Nox.', 'The user has a cat called Nox.'),
          )
        : { kind: 'error', status: 500 },
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await extraction.readContents(id)).toEqual(['The user has a cat called Nox.']);
    expect(await extraction.readDiagnostics(id, 'writing')).toMatchObject({ notRewritten: 'transient' });
    expect(extraction.calls).toHaveLength(2);
  });
});
