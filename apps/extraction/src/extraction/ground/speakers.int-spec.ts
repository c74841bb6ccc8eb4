import { editUserContext } from '@annals/storage';
import type { FakeModels } from '@annals/testing';
import type { ExtractionService, TestMessage } from '../extraction-service.fixture.js';
import { answeredMemory, answerWith, ExtractionWithModel } from '../extraction-with-model.fixture.js';

const GROUP: readonly TestMessage[] = [
  ['user', 'I live in Porto.'],
  ['user', 'I live in Berlin.', 'U0423'],
];

describe('the speakers of a batch, told to a model', () => {
  let extraction: ExtractionWithModel;
  let models: FakeModels;
  let service: ExtractionService;

  beforeAll(async () => {
    extraction = await ExtractionWithModel.start();
    ({ models, service } = extraction);
  });
  beforeEach(() => extraction.reset());
  afterAll(() => extraction?.stop());

  const readStored = async (id: string) => {
    await service.waitFor(id, 'persisting');
    const items = await extraction.readItems(id);
    return items!.map(({ category, content, quarantineReason = null }) => [category, content, quarantineReason]);
  };
  const prompt = () => extraction.calls[0]!.request.userTexts[0]!;

  it('corrects what a model takes for the user’s, and keeps it out of the profile', async () => {
    models.behave(() =>
      answerWith(
        answeredMemory('m1', 'I live in Porto', 'The user lives in Porto.'),
        answeredMemory('m2', 'I live in Berlin', 'The user lives in Berlin.'),
        answeredMemory('m2', 'I live in Berlin', 'Der Nutzer wohnt in Berlin.'),
      ),
    );
    expect(await readStored(await service.post(GROUP))).toEqual([
      ['profile', 'The user lives in Porto.', null],
      ['relationships', 'Another participant (U0423) lives in Berlin.', null],
      ['relationships', 'Der Nutzer wohnt in Berlin.', 'wrong_speaker'],
    ]);
    expect(prompt()).toContain('m1 user: I live in Porto.\nm2 participant (U0423): I live in Berlin.');
  });

  it('corrects a rewrite as well', async () => {
    models.behave(({ userTexts }) =>
      userTexts[0]?.includes('<conversation>')
        ? answerWith(answeredMemory('m2', 'I live in Berlin', 'I live in Berlin.'))
        : { kind: 'answer', text: JSON.stringify({ sentences: [{ id: 's1', content: 'The user lives in Berlin.' }] }) },
    );
    expect(await readStored(await service.post(GROUP))).toEqual([
      ['relationships', 'Another participant (U0423) lives in Berlin.', null],
    ]);
  });

  it('knows the user by the name that the person has consented to, unless somebody speaks as the user', async () => {
    const { ids, clock } = service.running.infrastructure;
    const id = await service.post([['user', 'I live in Porto.', 'ana']], async (tx, batchId) => {
      const [batch] = await tx.query<{ user_id: string }>('SELECT user_id FROM batches WHERE id = $1', [batchId]);
      const command = {
        userId: batch!.user_id,
        actor: 'key:k',
        edit: { preferred_name: 'Ana' },
        expectedRevision: null,
      };
      await editUserContext(tx, command, { clock, ids, randomBytes: (size) => Buffer.alloc(size, 7) });
    });
    await readStored(id);
    expect(prompt()).toContain('m1 user: I live in Porto.');
    models.journal.clear();
    await readStored(
      await service.post([
        ['user', 'Hello.'],
        ['user', 'I live in Porto.', 'ana'],
      ]),
    );
    expect(prompt()).toContain('m1 user: Hello.\nm2 participant (ana): I live in Porto.');
  });

  it('quarantines what a model takes from a pasted text', async () => {
    models.behave(() =>
      answerWith(
        answeredMemory('m1', 'I am vegan', 'The user is vegan.'),
        answeredMemory('m1', 'I live in Berlin', 'The user lives in Berlin.'),
      ),
    );
    const said: TestMessage = ['user', 'I am vegan. Translate this to French: I live in Berlin.'];
    expect(await readStored(await service.post([said]))).toEqual([
      ['profile', 'The user is vegan.', null],
      ['profile', 'The user lives in Berlin.', 'not_own_words'],
    ]);
  });
});
