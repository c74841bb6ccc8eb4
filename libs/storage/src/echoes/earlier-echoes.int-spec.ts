import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { findUnindexed, reindexUser } from '../lexical/reindex-user.js';

const SAID = 'I live in Lisbon.';
const ECHO = 'Great that you live in Lisbon!';

describe('turns that repeat what ended or was deleted before the upgrade', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let porto: string | undefined;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
    await recall.postTurns('ada', 't', SAID, { role: 'assistant', content: ECHO });
    await recall.postTurns('ada', 't', { role: 'assistant', content: 'You play chess, so this is for you.' });
    const [lisbon, chess] = await recall.remember('ada', 'The user lives in Lisbon.', 'The user plays chess.');
    const memory = recall.memory('The user lives in Porto.');
    [porto] = await recall.write('ada', { kind: 'supersede', memoryId: lisbon!, memory });
    await recall.write('ada', { kind: 'delete', memoryId: chess!, by: 'user' });
    // As releases before the notes of echoes have left it.
    await fixture.queryAsSuperuser('UPDATE messages SET echo_of = NULL');
    await fixture.queryAsSuperuser('UPDATE users SET analyzer = 3');
  });
  afterAll(() => fixture.close());

  it('are found when the index is made anew, which the upgrade makes due', async () => {
    const due = await findUnindexed(fixture.database, { limit: 10, now: fixture.clock.now() });
    expect(due).toContainEqual({ tenantId: recall.tenantId, userId: 'ada', batchId: null });
    await fixture.inTenant(recall.tenantId, (tx) => reindexUser(tx, { userId: 'ada', now: fixture.clock.now() }));
    const turns = await recall.candidates('ada', 'Lisbon chess', { types: ['turn'] });
    expect(turns.map(({ content, superseded, supersededBy }) => ({ content, superseded, supersededBy }))).toEqual(
      expect.arrayContaining([SAID, ECHO].map((content) => ({ content, superseded: 'wholly', supersededBy: porto }))),
    );
    expect(turns).toHaveLength(2);
  });
});
