import { randomBytes } from 'node:crypto';
import { acceptMessages } from '../conversations/accept-messages.js';
import { buildMessage, buildPost, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { beginIdempotent, storeIdempotent } from '../idempotency/idempotency.js';
import { forgetConversation } from './forget-conversation.js';

const ROUTE = 'POST /v1/conversations';

// The embedded database serializes transactions, so the race cannot happen there.
describe('forgetConversation with a concurrent post', () => {
  let fixture: StorageFixture;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('ends the answer to a post that is committed while it waits', async () => {
    const tenantId = await fixture.addTenant();
    const { clock, ids } = fixture;
    const { conversationId } = await post(fixture, tenantId, { messages: [buildMessage('I collect stones.')] });
    const request = { route: ROUTE, key: 'once', requestHmac: Buffer.alloc(32, 1) };
    const command = { conversationId, actor: 'test', acceptingRoute: ROUTE };
    let forgetting: Promise<unknown> | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      await acceptMessages(tx, buildPost(fixture, { messages: [buildMessage('I sell stones.')] }), ids);
      forgetting = fixture.inTenant(tenantId, (other) =>
        forgetConversation(other, command, { clock, ids, randomBytes }),
      );
      await fixture.waitForLockWaits(1, 'forgetting waits for the post');
      const response = { body: { conversation_id: conversationId } };
      await storeIdempotent(tx, { ...request, status: 202, response, userId: 'ada', now: clock.now() });
    });
    expect(await forgetting).not.toBeNull();
    expect(await fixture.inTenant(tenantId, (tx) => beginIdempotent(tx, request))).toEqual({ state: 'ended' });
  });
});
