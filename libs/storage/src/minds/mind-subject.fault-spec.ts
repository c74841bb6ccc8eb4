import { lockRecordedPseudonym } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { lockMindSubject, readSubjectOfUser } from './mind-subject.js';

// The embedded database serializes transactions, so nobody waits for a lock there.
describe.each(['user', 'conversation'] as const)(
  'a transaction that writes the effect of a run about a %s',
  (about) => {
    let fixture: StorageFixture;
    let tenant: string;
    let subjectId: string;

    beforeAll(async () => {
      fixture = await StorageFixture.open();
      tenant = await fixture.addTenant();
      const { conversationId } = await post(fixture, tenant, { userId: 'ada', threadId: 'told' });
      const ofUser = await fixture.inTenant(tenant, (tx) => readSubjectOfUser(tx, 'ada'));
      subjectId = about === 'user' ? ofUser! : conversationId;
    });
    afterAll(() => fixture.close());

    const whileOpen = (work: () => Promise<void>) =>
      fixture.inTenant(tenant, async (tx) => {
        await lockMindSubject(tx, about, subjectId);
        await work();
      });

    it('lets the user post to another thread', async () => {
      await whileOpen(async () => {
        const posted = await post(fixture, tenant, { userId: 'ada', threadId: 'other' });
        expect(posted).toMatchObject({ threadId: 'other', accepted: 1 });
      });
    });

    it.each<[string, (tx: Tx) => Promise<unknown>]>([
      ['an erasure', (tx) => lockRecordedPseudonym(tx, 'ada')],
      ['another run', (tx) => lockMindSubject(tx, about, subjectId)],
    ])('makes %s wait', async (_who, lock) => {
      let waiting: Promise<unknown> | undefined;
      await whileOpen(async () => {
        waiting = fixture.inTenant(tenant, lock);
        await fixture.waitForLockWaits(1, 'it waits for the run');
      });
      await waiting;
    });
  },
);
