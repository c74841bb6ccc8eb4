import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { fillDataFolder, waitUntil } from '@annals/testing';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { findFilesContaining } from '../fixtures/find-files-containing.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { simulateLifecycle } from '../fixtures/simulated-lifecycle.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { FeedSenders } from '../fixtures/webhook.fixture.js';
import { storeIdempotent } from '../idempotency/idempotency.js';
import { purgeMemories } from '../lifecycle/expire-and-purge.js';
import { migrate } from '../migrate.js';
import { eraseUser } from '../privacy/erase-user.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { EmbeddedHub } from './embedded-hub.js';
import { FileScrub } from './file-scrub.js';
import type { FileScrubberOptions } from './file-scrubber.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './open-embedded-database.js';

const DAY_MS = 86_400_000;
const ADA = 'ada-lovelace-1815';
const WORD = 'quixotrium';
const OTHER_WORD = 'velmorphic';

describe('the files of the embedded database', () => {
  let folder: string;
  let opened: EmbeddedDatabase;
  let fixture: StorageFixture;
  let tenantId: string;
  let recall: RecallFixture;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'annals-scrub-'));
    await fillDataFolder(folder);
    await open({ intervalMs: 50, onFailed: (error) => void failures.push(error) });
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
  });
  afterEach(async () => {
    await fixture.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
    expect(failures).toEqual([]);
  });

  const failures: unknown[] = [];
  async function open(scrub?: FileScrubberOptions): Promise<void> {
    opened = await openEmbeddedDatabase({ location: { folder }, ...(scrub ? { scrub } : {}) });
    await migrate({ stream: opened.createStream });
    fixture = await StorageFixture.openEmbedded(opened.createStream);
  }
  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  /** As a server that has run for a while: pages and log on disk, values sampled for the planner. */
  const settle = () => fixture.queryAsSuperuser('ANALYZE').then(() => fixture.queryAsSuperuser('CHECKPOINT'));
  const untilGone = (...words: string[]) =>
    waitUntil(async () => (await findFilesContaining(folder, ...words)).length === 0, {
      describe: `no file contains ${words.join(' or ')}`,
      intervalMs: 200,
    });
  const untilScrubbed = () =>
    waitUntil(async () => (await fixture.queryAsSuperuser('SELECT FROM file_scrubs')).length === 0, {
      describe: 'the files are rewritten',
    });

  it('contain neither words nor id of an erased user, and still those of others', async () => {
    await simulateLifecycle(fixture, tenantId, ADA, WORD);
    await simulateLifecycle(fixture, tenantId, 'bob', OTHER_WORD);
    // Longer than a page: out of line, and not compressible.
    const noise = Array.from({ length: 500 }, () => randomBytes(10).toString('hex'));
    await recall.write(ADA, recall.observe('Ada likes tea.', { rationale: [WORD, ...noise].join(' ') }));
    await settle();
    // The checkpoint has removed the segments of the log that lay before it.
    await recall.remember(ADA, `The user plays ${WORD}.`);
    const before = await findFilesContaining(folder, WORD);
    expect(before.some((file) => file.includes('pg_wal'))).toBe(true);
    expect(before.filter((file) => file.includes('base')).length).toBeGreaterThan(10);
    expect(await findFilesContaining(folder, ADA)).not.toEqual([]);

    await fixture.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId: ADA, actor: 'test', key: Buffer.alloc(32, 3) }, dependencies()),
    );
    await untilGone(WORD);
    await new FeedSenders(fixture).deliverAll();
    await untilGone(WORD, ADA);
    await untilScrubbed();
    expect(await findFilesContaining(folder, OTHER_WORD)).not.toEqual([]);
    expect(await recall.contents('bob', `${OTHER_WORD} stones`)).toContain(`I collect ${OTHER_WORD} stones.`);

    // What was rewritten is read by the next process, and written to.
    await fixture.close();
    await opened.close();
    expect(await findFilesContaining(folder, WORD, ADA)).toEqual([]);
    await open();
    recall = new RecallFixture(fixture, tenantId);
    await recall.remember('bob', 'Bob likes tea.');
    expect(await recall.contents('bob', `${OTHER_WORD} tea`)).toContain('Bob likes tea.');
  });

  it('contain no words of a purged memory, nor of the answers to the requests that wrote it', async () => {
    const [id] = await recall.remember(ADA, `The user plays ${WORD}.`);
    await recall.remember(ADA, `The user drinks ${OTHER_WORD}.`);
    const answer = { body: { memory: { id, content: `The user plays ${WORD}.` } } };
    await fixture.inTenant(tenantId, (tx) =>
      storeIdempotent(tx, {
        route: 'POST /v1/memories',
        key: 'k',
        requestHmac: Buffer.alloc(32),
        status: 201,
        response: answer,
        userId: ADA,
        now: fixture.clock.now(),
      }),
    );
    await recall.write(ADA, { kind: 'delete', memoryId: id!, by: 'user' });
    await settle();
    fixture.clock.advance(31 * DAY_MS);
    await fixture.inTenant(tenantId, (tx) => purgeMemories(tx, { userId: ADA, memoryIds: [id!] }, dependencies()));
    await untilGone(WORD);
    await untilScrubbed();
    expect(await recall.contents(ADA, OTHER_WORD)).toEqual([`The user drinks ${OTHER_WORD}.`]);
  });

  it('contain no words of a forgotten conversation once its memories are purged', async () => {
    const ada = await simulateLifecycle(fixture, tenantId, ADA, OTHER_WORD);
    await recall.postAndIndexTurns(ADA, 'secret', `My ${WORD} is broken.`);
    const [row] = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT id FROM conversations WHERE thread_id = 'secret'`,
    );
    await settle();
    const forget = (conversationId: string) =>
      fixture.inTenant(tenantId, (tx) =>
        forgetConversation(
          tx,
          { conversationId, actor: 'test', acceptingRoute: 'POST /v1/conversations' },
          dependencies(),
        ),
      );
    await forget(row!.id);
    await untilGone(WORD);
    const { memories_deleted: memoryIds } = (await forget(ada.conversations[0]))!;
    expect(memoryIds).toHaveLength(2);
    fixture.clock.advance(31 * DAY_MS);
    await fixture.inTenant(tenantId, (tx) => purgeMemories(tx, { userId: ADA, memoryIds }, dependencies()));
    await untilGone(`${OTHER_WORD} stones`, `once met ${OTHER_WORD}`);
  });

  it('are not rewritten for a deletion without rows, and once after an upgrade', async () => {
    await fixture.close();
    await opened.close();
    await open();
    const requests = async () => (await fixture.queryAsSuperuser('SELECT FROM file_scrubs')).length;
    const erase = () =>
      fixture.inTenant(tenantId, (tx) =>
        eraseUser(tx, { userId: ADA, actor: 'test', key: Buffer.alloc(32, 3) }, dependencies()),
      );
    await new RecallFixture(fixture, tenantId).remember(ADA, 'Ada likes tea.');
    await erase();
    expect(await requests()).toBeGreaterThan(0);
    await fixture.queryAsSuperuser('DELETE FROM file_scrubs');
    expect((await erase())!.isRepeated).toBe(true);
    expect(await requests()).toBe(0);

    await installEarlierRelease(fixture, 3);
    await fixture.addTenant();
    await migrate({ stream: opened.createStream });
    expect(await requests()).toBe(1);

    await installEarlierRelease(fixture, 5);
    await fixture.queryAsSuperuser('INSERT INTO file_scrubs VALUES (gen_random_uuid())');
    await migrate({ stream: opened.createStream });
    expect(await fixture.queryAsSuperuser('SELECT rewritten_to FROM file_scrubs')).toEqual([{ rewritten_to: null }]);
  });

  it('wait for free space, which is reported, and a shutdown does not wait for an open transaction', async () => {
    await fixture.close();
    await opened.close();
    const reported: unknown[] = [];
    await open({ intervalMs: 50, freeBytes: async () => 0, onFailed: (error) => void reported.push(error) });
    await fixture.queryAsSuperuser(
      `CREATE TABLE annals.padding AS SELECT n, repeat('x', 1000) AS filler FROM generate_series(1, 4000) n`,
    );
    await fixture.queryAsSuperuser('INSERT INTO file_scrubs VALUES (gen_random_uuid())');
    await waitUntil(() => reported.length === 1, { describe: 'the missing space is reported' });
    expect(String(reported[0])).toMatch(/padding needs \d+ bytes on disk, and 0 are free/);
    await fixture.close();
    await opened.close();

    await open({ intervalMs: 1 });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const held = fixture.inTenant(tenantId, async (tx) => {
      await tx.query('SELECT 1');
      begin();
      await ended;
    });
    held.catch(() => undefined);
    await begun;
    await opened.close();
    end();
    await expect(held).rejects.toThrow();
    await fixture.close();
    await open();
  });

  it('are rewritten by the next process behind the last table of one that was killed', async () => {
    await fixture.close();
    await opened.close();
    const child = startScrubbingChild(folder);
    const line = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    const done: unknown = JSON.parse(line.value!);
    const spilled = join(folder, 'database/base/pgsql_tmp');
    await waitUntil(async () => existsSync(spilled) && (await findFilesContaining(spilled, WORD)).length > 0, {
      describe: 'a sort writes the words to temporary files',
    });
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(await findFilesContaining(spilled, WORD)).not.toEqual([]);
    // What an interrupted step leaves: a file that no table refers to; and a segment of an earlier release.
    const orphan = join(folder, 'database/base/5/987654');
    const segment = join(folder, 'database/pg_wal/0000000100000000000000AA');
    const temporaryTable = join(folder, 'database/base/5/t3_987655');
    const left = [orphan, segment, temporaryTable];
    for (const file of left) writeFileSync(file, `${WORD} in a row`);
    writeFileSync(join(folder, 'database/base/stray'), '');

    const { hub, scrub } = await openHub(folder);
    const requests = () => hub.runSql('SELECT rewritten_to FROM annals.file_scrubs ORDER BY 1');
    expect(await requests()).toEqual([['annals.conversations'], [null]]);
    const later = await hub.runSql(FILES_OF_TABLES.replace('<=', '>'));
    await scrub.run(async () => undefined);
    expect(await hub.runSql(FILES_OF_TABLES)).toEqual(done);
    const rewritten = await hub.runSql(FILES_OF_TABLES.replace('<=', '>'));
    expect(rewritten.filter(([file]) => later.some(([before]) => before === file))).toEqual([]);
    // The deletion from a table that had been rewritten waits for a run of its own.
    expect(await requests()).toEqual([[null]]);
    expect(await findFilesContaining(join(folder, 'database/base/5'), OTHER_WORD)).not.toEqual([]);
    await hub.close();

    await open({ intervalMs: 50 });
    await untilGone(WORD, OTHER_WORD);
    await untilScrubbed();
    expect(left.filter((file) => existsSync(file))).toEqual([]);
  });
});

/** Numbers of the files of tables that are rewritten before conversations, and of these. */
const FILES_OF_TABLES = `SELECT pg_relation_filenode(oid), oid::regclass FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'annals'::regnamespace AND pg_relation_size(oid) > 0
    AND oid::regclass::text <= 'annals.conversations' ORDER BY 2`;

/** What `openEmbeddedDatabase` makes, with no process that rewrites on its own. */
async function openHub(folder: string) {
  const dataDir = join(folder, 'database');
  const db = await PGlite.create({ dataDir, extensions: { vector } });
  const hub = new EmbeddedHub(db, { serverVersion: '18', lockTimeoutMs: 15_000, onCrash: () => undefined });
  return { hub, scrub: new FileScrub(hub, dataDir) };
}

/**
 * Another process that deletes conversations and rewrites files until theirs are done. Then it prints the files so far,
 * deletes another conversation, and sorts words in temporary files until it is killed.
 */
function startScrubbingChild(folder: string) {
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(resolve(__dirname, file)).href);
  const hooks = pathToFileURL(resolve(__dirname, '../../../../scripts/test/source-hooks.mjs')).href;
  const code = `
    import { registerSourceHooks } from ${JSON.stringify(hooks)};
    registerSourceHooks();
    const { PGlite } = await import(${JSON.stringify(pathToFileURL(require.resolve('@electric-sql/pglite')).href)});
    const { vector } = await import(${JSON.stringify(pathToFileURL(require.resolve('@electric-sql/pglite-pgvector')).href)});
    const { EmbeddedHub } = await import(${urlOf('embedded-hub.ts')});
    const { FileScrub } = await import(${urlOf('file-scrub.ts')});
    const dataDir = ${JSON.stringify(join(folder, 'database'))};
    const startParams = [...PGlite.defaultStartParams, '-c', 'annals.embedded=on'];
    const db = await PGlite.create({ dataDir, extensions: { vector }, startParams });
    const hub = new EmbeddedHub(db, { serverVersion: '18', lockTimeoutMs: 15_000, onCrash: () => undefined });
    await hub.runSql("INSERT INTO annals.tenants VALUES (gen_random_uuid(), 'killed', now())");
    await hub.runSql("INSERT INTO annals.users (tenant_id, user_id, created_at) SELECT tenant_id, 'ada', now() FROM annals.tenants WHERE name = 'killed'");
    const converse = (word) => hub.runSql("INSERT INTO annals.conversations (tenant_id, id, user_id, thread_id, created_at, updated_at) SELECT tenant_id, gen_random_uuid(), 'ada', '" + word + "' || n, now(), now() FROM annals.tenants, generate_series(1, 100) n WHERE name = 'killed'");
    await converse('${WORD}');
    await hub.runSql('CHECKPOINT');
    await hub.runSql("DELETE FROM annals.conversations WHERE thread_id <> '${WORD}1'");
    const scrub = new FileScrub(hub, dataDir);
    await scrub.run(async () => {
      const [[at]] = await hub.runSql('SELECT max(rewritten_to) FROM annals.file_scrubs');
      if (at !== 'annals.conversations') return;
      console.log(JSON.stringify(await hub.runSql(${JSON.stringify(FILES_OF_TABLES)})));
      await converse('${OTHER_WORD}');
      await hub.runSql('DELETE FROM annals.conversations');
      await hub.runSql('CHECKPOINT');
      await hub.runAlone(async () => {
        await hub.execute("SET work_mem = '64kB'");
        await hub.execute("SELECT count(*) FROM (SELECT md5(n::text) || '${WORD}' FROM generate_series(1, 3000000) n ORDER BY 1 OFFSET 0) s");
      });
    });`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}
