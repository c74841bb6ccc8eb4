import type { ExtractionService, TestMessage } from '../extraction-service.fixture.js';
import { ExtractionWithModel } from '../extraction-with-model.fixture.js';

const WORK: readonly TestMessage[] = [
  ['user', 'Please publish the release.'],
  ['assistant', 'I opened the branch. I ran the tests. I tagged the release.', 'executor'],
  ['tool', 'deployment succeeded'],
  ['user', 'Perfect.'],
];
const PROCEDURE =
  'How to publish the release:\n1. Open the branch.\n2. Run the tests.\n3. Tag the release.\nTags: publish, release.';

describe('a workflow of agents that a model is to word', () => {
  let extraction: ExtractionWithModel;
  let service: ExtractionService;

  beforeAll(async () => {
    extraction = await ExtractionWithModel.start({ MEMORY_LLM_PROCEDURE_DAILY_CALLS: '1' });
    ({ service } = extraction);
  });
  afterAll(() => extraction?.stop());

  const countAsked = () =>
    extraction.calls.filter(({ request }) => request.userTexts[0]?.startsWith('<workflow')).length;
  const count = async (outcome: string) => {
    const { body } = await service.running.infrastructure.metrics.render();
    return Number(new RegExp(`^memory_llm_procedures_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(body)?.[1]);
  };

  it('is worded by rules, and reported, when the answer is unreadable and when the user’s daily limit is reached', async () => {
    extraction.models.behave((request) =>
      request.userTexts[0]?.startsWith('<workflow')
        ? { kind: 'answer', text: 'Sorry, I cannot.' }
        : { kind: 'answer', text: '{"schemaVersion":"memory_llm_response_v1","memories":[]}' },
    );
    for (const outcome of ['failed', 'capped']) {
      const id = await service.post(WORK);
      await service.waitFor(id, 'persisting');
      expect(await extraction.readContents(id)).toEqual([PROCEDURE]);
      expect(await count(outcome)).toBe(1);
    }
    expect(countAsked()).toBe(1);
    expect(service.listEvents('procedures_not_worded').map(({ context }) => context)).toMatchObject([
      { reason: 'parsing' },
    ]);
  });
});
