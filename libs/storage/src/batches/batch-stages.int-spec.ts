import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { addDueBatch, post, buildMessages } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { readBatchRevisions, getBatches } from './read-batches.js';
import { claimBatch } from './claim-batch.js';
import { completeExtraction, loadExtraction, type ExtractionResult } from './complete-extraction.js';
import { failBatch, replayBatch } from './fail-and-replay.js';

describe('batch stages', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batchId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
    batchId = await addDueBatch(fixture, tenant);
  });
  afterAll(() => fixture.close());

  const claim = async (generation = 1, kind: 'extraction' | 'persistence' = 'extraction') => {
    const request = { batchId, generation, kind, now: fixture.clock.now(), leaseMs: 60_000 };
    const claimed = await fixture.inTenant(tenant, (tx) => claimBatch(tx, request));
    if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
    return claimed.fence;
  };
  const complete = (fence: number, changes: Partial<ExtractionResult> = {}) => {
    const result: ExtractionResult = {
      batchId,
      fence,
      now: fixture.clock.now(),
      provider: 'mock',
      model: 'mock-1',
      notice: null,
      answer: '{"items":[]}',
      items: [],
      settlement: null,
      promptVersion: 'p1',
      diagnostics: { repairs: 0 },
      prunedMessages: 0,
      trace: null,
      ...changes,
    };
    return fixture.inTenant(tenant, (tx) => completeExtraction(tx, result, fixture.ids));
  };
  const fail = (generation = 1, kind: 'extraction' | 'persistence' = 'extraction') => {
    const failure = { batchId, kind, generation, code: 'provider_rejected', message: 'No.', now: fixture.clock.now() };
    return fixture.inTenant(tenant, (tx) => failBatch(tx, failure));
  };
  const replay = () => fixture.inTenant(tenant, (tx) => replayBatch(tx, batchId, fixture.clock.now(), fixture.ids));
  const readBatch = async () => (await fixture.queryAsSuperuser('SELECT * FROM batches WHERE id = $1', [batchId]))[0]!;
  const readWork = () => fixture.queryAsSuperuser('SELECT * FROM work WHERE subject_id = $1', [batchId]);
  const count = async (table: string) =>
    (await fixture.queryAsSuperuser(`SELECT FROM ${table} WHERE batch_id = $1`, [batchId])).length;
  const markReleased = () =>
    fixture.queryAsSuperuser(
      'UPDATE work SET released_at = available_at, checked_at = available_at WHERE subject_id = $1',
      [batchId],
    );

  describe('completeExtraction', () => {
    it('commits the answer and the work of the next stage in one work row', async () => {
      const [before] = await readWork();
      const fence = await claim();
      await markReleased();
      fixture.clock.advance(2_000);
      expect(await complete(fence, { notice: 'demo', trace: '00-next' })).toBe('committed');
      const now = new Date(fixture.clock.now());
      expect(await readBatch()).toMatchObject({
        state: 'persisting',
        lease_until: null,
        attempts: 0,
        extracted_at: now,
        finished_at: null,
        provider: 'mock',
        model: 'mock-1',
        notice: 'demo',
      });
      expect(await readWork()).toMatchObject([
        {
          kind: 'persistence',
          generation: 1,
          available_at: now,
          rank_at: new Date(fixture.clock.now() - INTERACTIVE_PRIORITY_BOOST_MS),
          leased_until: null,
          released_at: null,
          checked_at: null,
          trace: '00-next',
        },
      ]);
      expect((await readWork())[0]!['id']).not.toBe(before!['id']);
      const extraction = await fixture.inTenant(tenant, (tx) => loadExtraction(tx, batchId));
      expect(extraction).toEqual({ provider: 'mock', model: 'mock-1', items: [], costMicroUsd: 0 });
    });

    it('writes nothing for a worker that no longer holds the batch', async () => {
      const late = await claim();
      fixture.clock.advance(60_000);
      const current = await claim();
      expect(await complete(late)).toBe('lost');
      expect(await count('extractions')).toBe(0);
      expect(await readBatch()).toMatchObject({ state: 'extracting', extracted_at: null });
      expect(await complete(current)).toBe('committed');
    });

    it('commits once when called several times', async () => {
      const fence = await claim();
      const outcomes = await Promise.all([complete(fence), complete(fence), complete(fence)]);
      expect(outcomes.toSorted()).toEqual(['committed', 'lost', 'lost']);
      expect(await count('extractions')).toBe(1);
    });

    it('keeps the generation that the sweep raised while the worker was busy', async () => {
      const fence = await claim();
      await fixture.queryAsSuperuser('UPDATE batches SET generation = 2 WHERE id = $1', [batchId]);
      await fixture.queryAsSuperuser('UPDATE work SET generation = 2 WHERE subject_id = $1', [batchId]);
      expect(await complete(fence)).toBe('committed');
      expect(await readWork()).toMatchObject([{ kind: 'persistence', generation: 2 }]);
      expect(await claim(2, 'persistence')).toBe(fence + 1);
    });
  });

  describe('failBatch', () => {
    it('marks the batch as failed with its reason and deletes its work row', async () => {
      const fence = await claim();
      expect(await fail()).toBe(true);
      expect(await readBatch()).toMatchObject({
        state: 'failed',
        lease_until: null,
        finished_at: new Date(fixture.clock.now()),
        error_code: 'provider_rejected',
        error_message: 'No.',
      });
      expect(await readWork()).toEqual([]);
      expect(await complete(fence)).toBe('lost');
    });

    it('changes nothing when the batch has ended or has another generation', async () => {
      expect(await fail(2)).toBe(false);
      expect(await readWork()).toHaveLength(1);
      expect(await fail()).toBe(true);
      expect(await fail()).toBe(false);
    });

    it('changes nothing when a later stage has the batch: the job failed after its commit', async () => {
      await complete(await claim());
      expect(await fail(1, 'extraction')).toBe(false);
      expect(await readBatch()).toMatchObject({ state: 'persisting', error_code: null });
      expect(await readWork()).toHaveLength(1);
      expect(await fail(1, 'persistence')).toBe(true);
    });

    it('closes a batch that no worker has claimed, so that later messages join a new batch', async () => {
      const open = await post(fixture, tenant, { threadId: 'open' });
      batchId = open.batchIds[0]!;
      expect(await fail()).toBe(true);
      const next = await post(fixture, tenant, { threadId: 'open', messages: buildMessages(1) });
      expect(next.batchIds).not.toContain(batchId);
      expect(await readBatch()).toMatchObject({ message_count: 1 });
    });
  });

  describe('replayBatch', () => {
    it('queues a failed batch again under the next generation', async () => {
      await claim();
      await fail();
      fixture.clock.advance(5_000);
      expect(await replay()).toBe('replayed');
      const now = new Date(fixture.clock.now());
      expect(await readBatch()).toMatchObject({
        state: 'queued',
        generation: 2,
        attempts: 0,
        finished_at: null,
        error_code: null,
        error_message: null,
      });
      expect(await readWork()).toMatchObject([
        {
          kind: 'extraction',
          generation: 2,
          available_at: now,
          rank_at: new Date(fixture.clock.now() - INTERACTIVE_PRIORITY_BOOST_MS),
          released_at: null,
        },
      ]);
      await expect(claim(1)).rejects.toThrow('stale');
      expect(await claim(2)).toBeGreaterThan(1);
    });

    it('resumes with persistence when the answer is stored, without paying for it again', async () => {
      await complete(await claim());
      await claim(1, 'persistence');
      await fail(1, 'persistence');
      expect(await replay()).toBe('replayed');
      expect(await readBatch()).toMatchObject({ state: 'persisting', generation: 2 });
      expect(await readWork()).toMatchObject([{ kind: 'persistence', generation: 2 }]);
      expect(await claim(2, 'persistence')).toBeGreaterThan(2);
    });

    it('replays once when called twice concurrently', async () => {
      await fail();
      expect((await Promise.all([replay(), replay()])).toSorted()).toEqual(['not_failed', 'replayed']);
      expect(await readWork()).toHaveLength(1);
    });

    it('rejects a batch that has not failed, and one that the tenant does not have', async () => {
      expect(await replay()).toBe('not_failed');
      await fail();
      const owner = tenant;
      tenant = await fixture.addTenant();
      expect(await replay()).toBe('not_found');
      tenant = owner;
      expect(await readBatch()).toMatchObject({ state: 'failed', generation: 1 });
    });
  });

  describe('getBatches', () => {
    it('returns batches in the order of the given ids, without those of other tenants', async () => {
      const other = await addDueBatch(fixture, await fixture.addTenant());
      const second = await addDueBatch(fixture, tenant);
      await claim();
      await fail();
      const batches = await fixture.inTenant(tenant, (tx) => getBatches(tx, [second, other, batchId]));
      expect(batches.map((batch) => batch.id)).toEqual([second, batchId]);
      expect(batches[1]).toMatchObject({
        user_id: 'ada',
        thread_id: expect.any(String),
        status: 'failed',
        messages: 1,
        sealed: true,
        attempts: 1,
        generation: 1,
        error: { code: 'provider_rejected', message: 'No.' },
        finished_at: new Date(fixture.clock.now()).toISOString(),
      });
    });

    it('raises the revision with each stage', async () => {
      const revision = async () =>
        (await fixture.inTenant(tenant, (tx) => readBatchRevisions(tx, [batchId]))).get(batchId)!;
      const revisions = [await revision()];
      const fence = await claim();
      revisions.push(await revision());
      await complete(fence);
      revisions.push(await revision());
      await fail(1, 'persistence');
      revisions.push(await revision());
      await replay();
      revisions.push(await revision());
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
    });
  });
});
