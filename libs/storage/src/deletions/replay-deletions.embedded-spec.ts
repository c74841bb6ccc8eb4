import { randomBytes } from 'node:crypto';
import { readForgetRequest } from '@annals/domain';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteAppMemory, purgeAppMemories, uninstallApp } from '../app-memories/delete-app-memories.js';
import { putApp } from '../apps/app-registry.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { AuditFinding } from '../audit/audit-finding.js';
import { deleteCheckpoint } from '../checkpoints/delete-checkpoints.js';
import { deleteItems } from '../langgraph-store/write-items.js';
import { editUserContext } from '../context/decide-context.js';
import { getUserContext } from '../context/read-context.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../embedded/open-embedded-database.js';
import { rememberConversation } from '../fixtures/app-memory.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { FeedSenders } from '../fixtures/webhook.fixture.js';
import { simulateLifecycle } from '../fixtures/simulated-lifecycle.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { forgetSubject } from '../forgetting/forget-subject.js';
import { deleteLangGraphThreads } from '../langgraph/langgraph-threads.js';
import { revokeApiKey } from '../keys/api-keys.js';
import { migrate } from '../migrate.js';
import { eraseUser } from '../privacy/erase-user.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { deleteTenant } from '../tenants/tenants.js';
import { DeletionsFile, type ListKeys, readDeletions } from './deletions-file.js';
import { exportDeletions } from './export-deletions.js';
import { chargeLostSpending, readSpending } from './lost-spending.js';
import { replayDeletions } from './replay-deletions.js';

const KEY = Buffer.alloc(32, 3);
const ADA = 'ada-lovelace-1815';
const DAY_MS = 86_400_000;
const PURGE_AFTER_MS = 30 * DAY_MS;

interface Opened {
  readonly embedded: EmbeddedDatabase;
  readonly fixture: StorageFixture;
}

describe('a restored backup', () => {
  let folder: string;
  let original: Opened;
  let tenantId: string;
  const restored: Opened[] = [];
  let migrated: Blob;

  beforeAll(async () => {
    const embedded = await openEmbeddedDatabase({ location: 'memory' });
    await migrate({ stream: embedded.createStream });
    migrated = await embedded.dump();
    await embedded.close();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-deletions-'));
    original = await open(migrated);
    tenantId = await original.fixture.addTenant();
  });
  afterEach(async () => {
    for (const { fixture, embedded } of [original, ...restored.splice(0)]) {
      await fixture.close();
      await embedded.close();
    }
    rmSync(folder, { recursive: true });
  });

  async function open(snapshot: Blob): Promise<Opened> {
    const embedded = await openEmbeddedDatabase({ location: 'memory', snapshot });
    return { embedded, fixture: await StorageFixture.openEmbedded(embedded.createStream) };
  }
  const restore = async (backup: Blob) => {
    const opened = await open(backup);
    restored.push(opened);
    return opened.fixture;
  };
  const listPath = () => join(folder, 'deletions.ndjson');
  const openList = (file = listPath(), keys: ListKeys = [KEY]) =>
    DeletionsFile.open(file, { keys, now: original.fixture.clock.now() });
  const exportList = async () => exportDeletions(original.fixture.database, await openList());
  const dependencies = ({ clock, ids } = original.fixture) => ({
    clock,
    ids,
    randomBytes,
    purgeAfterMs: PURGE_AFTER_MS,
  });
  const replay = (fixture: StorageFixture, options: { file?: string; keys?: ListKeys; isDryRun?: boolean } = {}) =>
    replayDeletions(
      fixture.database,
      { file: options.file ?? listPath(), keys: options.keys ?? [KEY], isDryRun: options.isDryRun ?? false },
      { ...dependencies(fixture), auditKey: KEY },
    );
  const inTenant: StorageFixture['inTenant'] = (...given) => original.fixture.inTenant(...given);
  const erase = (userId: string, tenant = tenantId) =>
    inTenant(tenant, (tx) => eraseUser(tx, { userId, actor: 'test', key: KEY }, dependencies()));
  const forget = (conversationId: string) =>
    inTenant(tenantId, (tx) =>
      forgetConversation(
        tx,
        { conversationId, actor: 'test', acceptingRoute: 'POST /v1/conversations' },
        dependencies(),
      ),
    );
  const findFaults = async ({ database }: StorageFixture) => {
    const found: AuditFinding[] = [];
    await verifyAudit(database, { tenantId: null, keys: [KEY], report: (finding) => void found.push(finding) });
    return found;
  };

  it('forgets again what was forgotten after it was made, of every kind', async () => {
    const { fixture } = original;
    const { clock } = fixture;
    const recall = new RecallFixture(fixture, tenantId);
    await simulateLifecycle(fixture, tenantId, ADA, 'quixotrium');
    const bob = await simulateLifecycle(fixture, tenantId, 'bob', 'velmorphic');
    const [byHand] = await recall.remember('cleo', 'Cleo plays the zarquinet.');
    const [kept] = await recall.remember('cleo', 'Cleo likes marmalade.');
    const appOf = async (appId: string, userId: string) => {
      await inTenant(tenantId, (tx) => putApp(tx, { appId, name: appId, isShared: false, now: clock.now() }));
      const { conversationId } = await post(fixture, tenantId, { userId, appId, threadId: `${appId} ${userId}` });
      await rememberConversation(fixture, tenantId, conversationId, { content: `Notes of ${appId} on ${userId}` });
      return conversationId;
    };
    await appOf('planner', 'cleo');
    await appOf('board', 'cleo');
    await appOf('board', 'dora');
    const single = await appOf('journal', 'cleo');
    const edit = (change: Parameters<typeof editUserContext>[1]['edit']) =>
      inTenant(tenantId, (tx) =>
        editUserContext(tx, { userId: 'cleo', actor: 'test', edit: change, expectedRevision: null }, dependencies()),
      );
    await edit({ preferred_name: 'Cleopatra', city: 'Alexandria', goals: ['learn Greek', 'sail'] });
    const said = ['I like wexfordium.', 'I like plumgrackle. My cat is old.'].map((content) => buildMessage(content));
    const finn = await post(fixture, tenantId, { userId: 'finn', threadId: 'finn', messages: said });
    const [liked] = await recall.remember('finn', 'The user likes wexfordium.');
    const forgetWord = (word: string) =>
      inTenant(tenantId, (tx) =>
        forgetSubject(
          tx,
          { userId: 'finn', request: readForgetRequest(word)!, actor: 'test', expectedDigest: null },
          dependencies(),
        ),
      );
    const apiKeyId = fixture.ids.next();
    await fixture.queryAsSuperuser(
      `INSERT INTO api_keys (tenant_id, id, name, key_hash, prefix, scopes, created_at)
       VALUES ($1, $2, 'key', '\\x01', 'ann', '{query}', now())`,
      [tenantId, apiKeyId],
    );
    const other = await fixture.addTenant();
    await simulateLifecycle(fixture, other, 'eve', 'brimbleton');

    const backup = await original.embedded.dump();
    clock.advance(DAY_MS);

    await erase(ADA);
    await forget(bob.conversations[0]);
    await recall.write('cleo', { kind: 'delete', memoryId: byHand!, by: 'user' });
    await recall.write('cleo', { kind: 'delete', memoryId: kept!, by: 'user' });
    await recall.write('cleo', { kind: 'restore', memoryId: kept! });
    const request = { now: clock.now(), ids: fixture.ids, trace: null };
    await inTenant(tenantId, (tx) => purgeAppMemories(tx, { appId: 'planner', userId: undefined }, request));
    await inTenant(tenantId, (tx) => uninstallApp(tx, 'planner', clock.now()));
    await inTenant(tenantId, (tx) => purgeAppMemories(tx, { appId: 'board', userId: 'cleo' }, request));
    const [note] = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT m.id FROM app_memories m JOIN app_memory_sources s ON s.app_memory_id = m.id WHERE s.conversation_id = $1',
      [single],
    );
    await inTenant(tenantId, (tx) => deleteAppMemory(tx, note!.id, clock.now()));
    await inTenant(tenantId, (tx) =>
      deleteCheckpoint(tx, { userId: 'bob', threadId: 'thread velmorphic', expectedVersion: null, now: clock.now() }),
    );
    await inTenant(tenantId, (tx) =>
      deleteLangGraphThreads(tx, { threadIds: ['graph velmorphic'], userId: undefined, now: clock.now() }),
    );
    await inTenant(tenantId, async (tx) => {
      const scope = { userId: 'bob', now: clock.now() };
      await deleteItems(tx, scope, [{ namespace: ['space velmorphic'], key: 'key velmorphic' }]);
    });
    await edit({ preferred_name: null, goals: ['sail'], insights: 'off' });
    await inTenant(tenantId, (tx) => revokeApiKey(tx, apiKeyId, clock.now()));
    await deleteTenant(fixture.database, other);
    for (const word of ['wexfordium', 'plumgrackle']) await forgetWord(word);
    expect(await exportList()).toBeGreaterThan(10);

    const copy = await restore(backup);
    expect(await copy.findTablesContaining('quixotrium')).not.toEqual([]);
    expect(await findFaults(copy)).toEqual([]);
    const { kinds } = await replay(copy);
    expect(kinds).toMatchObject({
      user: { deleted: 1 },
      conversation: { deleted: 1 },
      conversation_thread: { entries: 1, deleted: 0 },
      memory_words: { entries: 1, deleted: 0 },
      memory_restored: { entries: 1, deleted: 0 },
      memory_forgotten: { entries: 1, deleted: 1 },
      message: { entries: 2, deleted: 2 },
      app: { deleted: 1 },
      app_memory: { deleted: 1 },
      app_memories: { deleted: 1 },
      app_memories_of_user: { deleted: 1 },
      checkpoint: { deleted: 1 },
      langgraph_thread: { deleted: 1 },
      langgraph_item: { entries: 1, deleted: 1 },
      context_field: { deleted: 1 },
      context_goal: { deleted: 1 },
      insights_off: { deleted: 1 },
      api_key: { deleted: 1 },
      tenant: { deleted: 1 },
    });

    // Webhooks are told of erasures once more, and then their ids are gone as well.
    await new FeedSenders(copy).deliverAll();
    for (const word of ['quixotrium', ADA, 'brimbleton', 'wexfordium', 'plumgrackle'])
      expect(await copy.findTablesContaining(word)).toEqual([]);
    const rows = <R extends object>(sql: string, ...parameters: unknown[]) => copy.queryAsSuperuser<R>(sql, parameters);
    const keptForImports = `SELECT kind, subject, deleted_at FROM deletions
                             WHERE kind IN ('memory_words', 'conversation_thread') ORDER BY subject`;
    expect(await rows(keptForImports)).toEqual(await fixture.queryAsSuperuser(keptForImports));
    expect(await rows('SELECT id FROM conversations WHERE id = $1', bob.conversations[0])).toEqual([]);
    expect(await rows('SELECT state FROM memories WHERE id = ANY ($1) ORDER BY content', [byHand, kept])).toEqual([
      { state: 'active' },
      { state: 'soft_deleted' },
    ]);
    const [purge] = await rows<{ purge_at: Date }>('SELECT purge_at FROM memories WHERE id = $1', byHand);
    expect(purge!.purge_at.getTime()).toBeLessThanOrEqual(clock.now() + PURGE_AFTER_MS);
    expect(await rows('SELECT content FROM app_memories ORDER BY content')).toEqual([
      // Bob's rested on the conversation that was forgotten.
      { content: 'Notes of board on dora' },
    ]);
    expect(await rows('SELECT app_id FROM apps ORDER BY app_id')).toEqual([{ app_id: 'board' }, { app_id: 'journal' }]);
    expect(await rows(`SELECT FROM checkpoint_versions WHERE user_id = 'bob'`)).toEqual([]);
    expect(await rows(`SELECT FROM langgraph_items WHERE user_id = 'bob'`)).toEqual([]);
    expect(await rows('SELECT id FROM memories WHERE id = $1', liked)).toEqual([]);
    expect(
      await rows('SELECT content FROM messages WHERE conversation_id = $1 ORDER BY seq', finn.conversationId),
    ).toEqual([{ content: '' }, { content: 'My cat is old.' }]);
    expect(await rows('SELECT FROM api_keys WHERE revoked_at IS NULL')).toEqual([]);
    expect(await copy.inTenant(tenantId, (tx) => getUserContext(tx, 'cleo'))).toMatchObject({
      preferred_name: null,
      city: 'Alexandria',
      goals: ['sail'],
      insights: 'off',
    });
    expect(await findFaults(copy)).toEqual([]);

    expect((await replay(copy)).kinds).toEqual({});
    expect(await exportDeletions(copy.database, await openList())).toBe(0);
  });

  it('keeps a user who returned after the erasure that the backup contains already', async () => {
    const recall = new RecallFixture(original.fixture, tenantId);
    await recall.remember('ada', 'Ada plays chess.');
    await erase('ada');
    await recall.remember('ada', 'Ada plays go.');
    const backup = await original.embedded.dump();
    await exportList();
    const copy = await restore(backup);
    expect((await replay(copy)).kinds).toEqual({});
    expect(await copy.findTablesContaining('plays go')).not.toEqual([]);
    expect(await exportDeletions(copy.database, await openList())).toBe(0);
  });

  it('changes nothing in a dry run, and is not exported from before the list was replayed', async () => {
    await new RecallFixture(original.fixture, tenantId).remember('ada', 'Ada plays chess.');
    const backup = await original.embedded.dump();
    await erase('ada');
    await exportList();
    const copy = await restore(backup);
    await expect(exportDeletions(copy.database, await openList())).rejects.toThrow(/Replay the list first/);
    expect((await replay(copy, { isDryRun: true })).kinds).toEqual({ user: { entries: 1, deleted: 0 } });
    expect(await copy.findTablesContaining('plays chess')).not.toEqual([]);
    expect((await replay(copy)).kinds).toEqual({ user: { entries: 1, deleted: 1 } });
    expect(await exportDeletions(copy.database, await openList())).toBe(0);
  });

  it('refuses a list that was changed, was cut in the middle, is of another key or is older than the backup', async () => {
    const recall = new RecallFixture(original.fixture, tenantId);
    for (const user of ['ada', 'bob', 'cleo']) await recall.remember(user, `${user} plays chess.`);
    const early = await original.embedded.dump();
    for (const user of ['ada', 'bob']) await erase(user);
    await exportList();
    const older = join(folder, 'older.ndjson');
    writeFileSync(older, readFileSync(listPath()));
    await erase('cleo');
    await exportList();
    const late = await restore(await original.embedded.dump());
    await expect(replay(late, { file: older })).rejects.toThrow(/older than the backup/);

    const copy = await restore(early);
    const lines = readFileSync(listPath(), 'utf8').split('\n');
    const changed = join(folder, 'changed.ndjson');
    const changes: readonly (readonly [RegExp, string])[] = [
      [/Line 2 of .* was changed/, lines.map((line) => line.replace('"seq":1', '"seq":7')).join('\n')],
      [/Line 3 of .* was changed/, lines.toSpliced(1, 1).toSpliced(1, 0, lines[1]!, lines[1]!).join('\n')],
      [/Line 2 of .* was changed/, lines.toSpliced(1, 1).join('\n')],
      [/no list of deletions/, 'nonsense\n'],
      [/is empty/, ''],
    ];
    for (const [refusal, text] of changes) {
      writeFileSync(changed, text);
      await expect(replay(copy, { file: changed })).rejects.toThrow(refusal);
    }
    await expect(DeletionsFile.open(listPath(), { keys: [Buffer.alloc(32, 4)], now: 0 })).rejects.toThrow(
      /ANNALS_SECRET_KEY/,
    );
    await expect(replay(copy, { file: join(folder, 'nothing') })).rejects.toThrow(/There is no list/);
    expect(await copy.findTablesContaining('plays chess')).not.toEqual([]);
    expect((await replay(copy)).kinds).toEqual({ user: { entries: 3, deleted: 3 } });
  });

  it('goes on with a list whose last line was being written when its process was killed', async () => {
    const recall = new RecallFixture(original.fixture, tenantId);
    for (const user of ['ada', 'bob']) await recall.remember(user, `${user} plays chess.`);
    await erase('ada');
    await exportList();
    appendFileSync(listPath(), '{"seq":2,"id":"0193');
    await erase('bob');
    expect(await exportList()).toBe(1);
    const seqs: number[] = [];
    for await (const { seq } of readDeletions(listPath(), [KEY])) seqs.push(seq);
    expect(seqs).toEqual([1, 2]);
    expect(statSync(listPath()).mode & 0o777).toBe(0o600);
    expect(readFileSync(listPath(), 'utf8')).not.toMatch(/\b(?:ada|bob)\b|chess/);
  });

  it('goes on with another key, and is valid as long as the former one is accepted', async () => {
    const recall = new RecallFixture(original.fixture, tenantId);
    for (const user of ['ada', 'bob']) await recall.remember(user, `${user} plays chess.`);
    const backup = await original.embedded.dump();
    await erase('ada');
    await exportList();
    await erase('bob');
    const rotated: ListKeys = [Buffer.alloc(32, 5), KEY];
    expect(await exportDeletions(original.fixture.database, await openList(listPath(), rotated))).toBe(1);
    const copy = await restore(backup);
    await expect(replay(copy)).rejects.toThrow(/Line 3 of .* ANNALS_SECRET_KEY_ACCEPTED/);
    expect((await replay(copy, { keys: rotated })).kinds).toEqual({ user: { entries: 2, deleted: 2 } });
  });

  it('counts what was spent after it was made, so that no budget is spent twice', async () => {
    const { fixture } = original;
    const spend = (provider: string, microUsd: number, day: string) =>
      fixture.queryAsSuperuser(
        `INSERT INTO usage (tenant_id, id, operation, provider, model, input_tokens, output_tokens, cost_micro_usd, estimated, day, ts)
         VALUES ($1, $2, 'extraction', $3, 'm', 1, 1, $4, false, $5, now())`,
        [tenantId, fixture.ids.next(), provider, microUsd, day],
      );
    await spend('claude', 100, '2026-01-05');
    const backup = await original.embedded.dump();
    await spend('claude', 40, '2026-01-05');
    await spend('openai', 7, '2026-01-05');
    const spending = await readSpending(fixture.database, '2026-01-05');
    const copy = await restore(backup);
    const charge = () => chargeLostSpending(copy.database, spending, { now: fixture.clock.now(), ids: fixture.ids });
    expect([await charge(), await charge()]).toEqual([47, 0]);
    expect(await readSpending(copy.database, '2026-01-05')).toEqual(spending);
  });
});
