import { loadExtraction } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase } from '@annals/testing';
import { describeModels, ExtractionService, type TestMessage } from '../extraction-service.fixture.js';

const TEST_MESSAGES: readonly TestMessage[] = [
  ['user', 'I moved to Lisbon.'],
  ['user', 'I have a cat called Nox.'],
];

const memory = (name: string, quote: string, content: string) => ({
  content,
  category: 'profile',
  type: 'semantic',
  importance: 2,
  confidence: 0.9,
  evidence: [{ message_id: name, quote }],
});

describe('the writing constraints of an answer', () => {
  let models: FakeModels;
  let database: TestDatabase;
  let service: ExtractionService;

  beforeAll(async () => {
    models = await startFakeModels();
    database = await createTestDatabase();
    service = await ExtractionService.start({
      database,
      env: { ...describeModels(models), MEMORY_LLM_PRIMARY: 'claude' },
    });
  });
  beforeEach(() => {
    models.behave(undefined);
    models.journal.clear();
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
    await models?.close();
  });

  const answerWith = (...memories: object[]) => ({
    kind: 'answer' as const,
    text: JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories }),
  });
  const isExtraction = (userTexts: readonly string[]) => userTexts[0]?.includes('<conversation>') ?? false;
  const calls = () => models.journal.generated;
  const listOperations = (id: string) =>
    service.inTenant((tx) =>
      tx.query<{ operation: string; outcome: string }>(
        'SELECT operation, outcome FROM usage WHERE batch_id = $1 ORDER BY ts, id',
        [id],
      ),
    );
  const readWriting = async (id: string) => {
    const [row] = await service.inTenant((tx) =>
      tx.query<{ diagnostics: { writing: object } }>('SELECT diagnostics FROM extractions WHERE batch_id = $1', [id]),
    );
    return row!.diagnostics.writing;
  };
  const readContents = async (id: string) =>
    (await service.inTenant((tx) => loadExtraction(tx, id)))?.items.map(({ content }) => content);

  it('cause no call when an answer fulfils them', async () => {
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(calls()).toHaveLength(1);
    expect(await readWriting(id)).toMatchObject({ checked: 2, passed: 2, rejected: [] });
  });

  it('send invalid sentences back to the model in one call, through the ledger', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            memory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            memory('m2', 'I have a cat called Nox.', 'They have a cat called Nox.'),
          )
        : undefined,
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await readContents(id)).toEqual([
      'The user said: “I moved to Lisbon.”',
      'The user said: “I have a cat called Nox.”',
    ]);
    expect(await listOperations(id)).toEqual(
      expect.arrayContaining([
        { operation: 'extraction', outcome: 'ok' },
        { operation: 'writing', outcome: 'ok' },
      ]),
    );
    expect(calls()).toHaveLength(2);
    expect(await readWriting(id)).toMatchObject({ checked: 2, passed: 0, rewritten: 2, rejected: [] });
    expect(service.listEvents('writing_repaired').at(-1)?.context).toMatchObject({ rewritten: 2 });
  });

  it('trim or reject sentences that are still invalid after the rewrite, with the reasons', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            memory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            memory(
              'm2',
              'I have a cat called Nox.',
              'Nox is a cat. Nox lives here. Nox is old.'.replace('here', 'well'),
            ),
          )
        : { kind: 'answer', text: '{"sentences":[{"id":"s1","content":"She moved."},{"id":"s2","content":null}]}' },
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await readContents(id)).toEqual(['Nox is a cat. Nox lives well.']);
    expect(await readWriting(id)).toMatchObject({
      trimmed: 1,
      rejected: [{ place: 0, rules: ['not_third_person'] }],
    });
    const { body } = await service.running.infrastructure.metrics.render();
    expect(body).toMatch(/memory_llm_memories_junk_total\{cause="rejected"\} 1/);
    expect(calls()).toHaveLength(2);
  });

  it('preserve the answer when the rewrite call fails', async () => {
    models.behave(({ userTexts }) =>
      isExtraction(userTexts)
        ? answerWith(
            memory('m1', 'I moved to Lisbon.', 'I moved to Lisbon.'),
            memory('m2', 'I have a cat called Nox.', 'The user has a cat called Nox.'),
          )
        : { kind: 'error', status: 500 },
    );
    const id = await service.post(TEST_MESSAGES);
    await service.waitFor(id, 'persisting');
    expect(await readContents(id)).toEqual(['The user has a cat called Nox.']);
    expect(await readWriting(id)).toMatchObject({ notRewritten: 'transient' });
    expect(calls()).toHaveLength(2);
  });
});
