import { findApp, putApp } from '../apps/app-registry.js';
import { rememberConversation } from '../fixtures/app-memory.fixture.js';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { reserve } from '../fixtures/model-call.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import { startMindRun } from '../minds/mind-runs.js';
import { readMindWatermark } from '../minds/mind-watermarks.js';
import { deleteTenant } from '../tenants/tenants.js';
import { AddAppMemories1764400000000 } from './1764400000000-AddAppMemories.js';
import { MIGRATIONS } from './index.js';

describe('a database of the release before app memories', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let conversationId: string;
  const now = () => fixture.clock.now();
  const told = (threadId: string) =>
    post(fixture, tenant, { userId: 'ada', threadId, appId: 'calendar', end: true, messages: [buildMessage('Tea.')] });
  const run = (kind: 'summary' | 'app_memory') =>
    fixture.inTenant(tenant, async (tx) => {
      const about = { kind, subjectId: conversationId } as const;
      const start = {
        id: fixture.ids.next(),
        userId: 'ada',
        trigger: 'end',
        isDryRun: false,
        startedAt: now(),
      } as const;
      await startMindRun(tx, { ...about, ...start });
      // As that release wrote it.
      await tx.execute(
        `INSERT INTO mind_watermarks (subject_id, kind, watermark, updated_at) VALUES ($1, $2, '0.0', $3)`,
        [conversationId, kind, new Date(now())],
      );
    });

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, MIGRATIONS.indexOf(AddAppMemories1764400000000));
    tenant = await fixture.addTenant();
    conversationId = fixture.ids.next();
    // As that release wrote it.
    await fixture.queryAsSuperuser(
      `WITH u AS (INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $3))
       INSERT INTO conversations (tenant_id, id, user_id, thread_id, app_id, created_at, updated_at, ended_at)
       VALUES ($1, $2, 'ada', 'before', 'calendar', $3, $3, $3)`,
      [tenant, conversationId, new Date(now())],
    );
    const batchId = fixture.ids.next();
    await fixture.queryAsSuperuser(
      `WITH b AS (INSERT INTO batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at, accepted_at)
                  VALUES ($1, $2, $3, 'ada', 'queued', 1, $4, $4))
       INSERT INTO messages (tenant_id, id, conversation_id, batch_id, seq, role, content, said_at, received_at)
       VALUES ($1, $5, $3, $2, 0, 'user', 'Tea.', $4, $4)`,
      [tenant, batchId, conversationId, new Date(now()), fixture.ids.next()],
    );
    await run('summary');
    await expect(run('app_memory')).rejects.toThrow(/mind_runs_kind_check/);
    await migrate(fixture.testDatabase.admin);
  });
  afterAll(() => fixture.close());

  it('keeps its runs, and takes those, and the calls, of app memories', async () => {
    await run('app_memory');
    const watermark = (kind: 'summary' | 'app_memory') =>
      fixture.inTenant(tenant, (tx) => readMindWatermark(tx, kind, conversationId));
    expect([await watermark('summary'), await watermark('app_memory')]).toEqual(
      ['summary', 'app_memory'].map(() => ({ watermark: '0.0', failures: 0 })),
    );
    for (const operation of ['app_memory', 'app_compaction'] as const) {
      await reserve(fixture, tenant, { operation });
    }
  });

  it('lets its conversations be remembered, and those of processes that know no apps', async () => {
    await fixture.inTenant(tenant, (tx) =>
      putApp(tx, { appId: 'calendar', name: 'Calendar', isShared: undefined, now: now() }),
    );
    for (const id of [conversationId, (await told('after')).conversationId]) {
      expect(await rememberConversation(fixture, tenant, id)).toMatchObject({ outcome: 'written' });
    }
  });

  it('deletes a tenant with its apps and what they remember', async () => {
    const deleted = await deleteTenant(fixture.database, tenant);
    expect(deleted).toMatchObject({ apps: 1, app_memories: 2, app_memory_sources: 2 });
    expect(await fixture.inTenant(tenant, (tx) => findApp(tx, 'calendar'))).toBeNull();
  });
});
