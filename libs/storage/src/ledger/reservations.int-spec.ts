import type { ExtractedItem } from '@annals/contracts';
import {
  claimForExtraction,
  buildReservation,
  reserve,
  RESERVED_MICRO_USD,
  RESERVED_MS,
  buildSettlement,
} from '../fixtures/model-call.fixture.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { completeExtraction } from '../batches/complete-extraction.js';
import { failBatch, replayBatch } from '../batches/fail-and-replay.js';
import { cancelReservation, openReservation, readBudgetEpoch } from './open-reservation.js';
import { expireReservations, findOverdueReservations, findClosedReservations, raiseBudgetEpoch } from './reconcile.js';
import { loadPastCalls } from './load-past-calls.js';
import { settleReservation, type CallSettlement } from './settle-reservation.js';

const DAY = '2026-01-05';
const MANY = 16;

describe('the ledger', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batchId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: MANY });
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE reservations, usage, call_answers, budget_epochs');
    fixture.clock.reset(Date.UTC(2026, 0, 5, 9));
    tenant = await fixture.addTenant();
    batchId = await addDueBatch(fixture, tenant);
  });
  afterAll(() => fixture.close());

  const reserveForBatch = () => reserve(fixture, tenant, { batchId, fence: 1, generation: 1 });
  const settle = (id: string, changes: Partial<CallSettlement> = {}) =>
    fixture.inTenant(tenant, (tx) => settleReservation(tx, buildSettlement(fixture, id, changes)));
  const expire = async (limit = 100, unsent: readonly string[] = []) => {
    const now = fixture.clock.now();
    const overdue = await findOverdueReservations(fixture.database, { now, limit });
    const ids = overdue.map(({ reservationId }) => reservationId);
    return expireReservations(fixture.database, { now, overdue: ids, unsent });
  };
  const readBatch = async () => (await fixture.queryAsSuperuser('SELECT * FROM batches WHERE id = $1', [batchId]))[0]!;
  const readUsage = () => fixture.queryAsSuperuser('SELECT *, day::text FROM usage ORDER BY ts, id');
  const countOpen = async () => (await fixture.queryAsSuperuser('SELECT FROM reservations')).length;
  const readPast = () => fixture.inTenant(tenant, (tx) => loadPastCalls(tx, batchId));

  describe('openReservation', () => {
    it('stores the reservation and returns the epoch of its day', async () => {
      const open = () => fixture.inTenant(tenant, (tx) => openReservation(tx, buildReservation(fixture)));
      expect(await open()).toEqual({ epoch: 0 });
      await raiseBudgetEpoch(fixture.database, '2026-01-04');
      expect(await open()).toEqual({ epoch: 0 });
      await raiseBudgetEpoch(fixture.database, DAY);
      expect(await open()).toEqual({ epoch: 1 });
      expect(await fixture.queryAsSuperuser('SELECT *, day::text FROM reservations ORDER BY id LIMIT 1')).toMatchObject(
        [
          {
            tenant_id: tenant,
            user_id: 'ada',
            provider: 'claude',
            model: 'claude-1',
            amount_micro_usd: String(RESERVED_MICRO_USD),
            day: DAY,
            created_at: new Date(fixture.clock.now()),
            expires_at: new Date(fixture.clock.now() + RESERVED_MS),
          },
        ],
      );
    });

    it('leaves nothing when its transaction fails', async () => {
      const attempt = fixture.inTenant(tenant, async (tx) => {
        await openReservation(tx, buildReservation(fixture));
        throw new Error('changed my mind');
      });
      await expect(attempt).rejects.toThrow('changed my mind');
      expect(await countOpen()).toBe(0);
    });
  });

  it('reads the epoch of a day separately, 0 before there is one', async () => {
    const read = () => readBudgetEpoch(fixture.database, DAY);
    expect(await read()).toBe(0);
    await raiseBudgetEpoch(fixture.database, DAY);
    await raiseBudgetEpoch(fixture.database, DAY);
    expect(await read()).toBe(2);
  });

  it('deletes a cancelled reservation once, and charges nothing', async () => {
    const id = await reserve(fixture, tenant);
    const cancel = () => fixture.inTenant(tenant, (tx) => cancelReservation(tx, id));
    expect((await Promise.all([cancel(), cancel(), cancel()])).filter(Boolean)).toHaveLength(1);
    expect([await countOpen(), await readUsage()]).toEqual([0, []]);
    expect(await settle(id)).toBe('gone');
  });

  describe('settleReservation', () => {
    it('replaces the reservation by usage under the same id and adds it to the batch', async () => {
      const id = await reserveForBatch();
      fixture.clock.advance(1_000);
      expect(await settle(id)).toBe('settled');
      expect(await countOpen()).toBe(0);
      expect(await readUsage()).toMatchObject([
        {
          tenant_id: tenant,
          id,
          batch_id: batchId,
          user_id: 'ada',
          operation: 'extraction',
          provider: 'claude',
          model: 'claude-1',
          generation: 1,
          outcome: 'ok',
          input_tokens: 100,
          output_tokens: 20,
          cache_read_tokens: 60,
          cache_write_tokens: 5,
          estimated: false,
          cost_micro_usd: '30',
          duration_ms: 1_235,
          day: DAY,
          ts: new Date(fixture.clock.now()),
        },
      ]);
      expect(await readBatch()).toMatchObject({
        input_tokens: 100,
        output_tokens: 20,
        cost_micro_usd: '30',
        revision: 2,
      });
    });

    it('charges the day that admitted the call when the call ends after midnight', async () => {
      fixture.clock.reset(Date.UTC(2026, 0, 5, 23, 59, 59));
      const id = await reserve(fixture, tenant);
      fixture.clock.advance(5_000);
      await settle(id);
      expect(await readUsage()).toMatchObject([{ day: DAY, ts: new Date(fixture.clock.now()) }]);
    });

    it('sums up the calls of a batch, failed ones included, also after the batch has ended', async () => {
      const [first, second] = [await reserveForBatch(), await reserveForBatch()];
      await settle(first, { outcome: 'rate_limit', costMicroUsd: 0 });
      const failure = { batchId, kind: 'extraction', generation: 1, code: 'x', message: 'No.' } as const;
      await fixture.inTenant(tenant, (tx) => failBatch(tx, { ...failure, now: fixture.clock.now() }));
      expect(await settle(second, { outcome: 'parsing' })).toBe('settled');
      expect(await readBatch()).toMatchObject({ state: 'failed', cost_micro_usd: '30', input_tokens: 200 });
      expect((await readUsage()).map((row) => row['outcome'])).toEqual(['rate_limit', 'parsing']);
    });

    it(`settles once among ${MANY} concurrent callers`, async () => {
      const id = await reserveForBatch();
      const outcomes = await Promise.all(Array.from({ length: MANY }, () => settle(id)));
      expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1);
      expect(await readUsage()).toHaveLength(1);
      expect(await readBatch()).toMatchObject({ cost_micro_usd: '30', input_tokens: 100 });
    });

    it('changes nothing of another tenant', async () => {
      const id = await reserveForBatch();
      const owner = tenant;
      tenant = await fixture.addTenant();
      expect(await settle(id)).toBe('gone');
      tenant = owner;
      expect(await settle(id)).toBe('settled');
    });

    it('stores an answer that could not be parsed only for a call of a batch', async () => {
      const answer = { text: '{"memories": [', problem: 'cut off' };
      await settle(await reserve(fixture, tenant), { outcome: 'parsing', answer });
      expect(await fixture.queryAsSuperuser('SELECT FROM call_answers')).toHaveLength(0);
      await settle(await reserveForBatch(), { outcome: 'parsing', answer });
      expect(await readPast()).toMatchObject([{ outcome: 'parsing', answer: answer.text, problem: answer.problem }]);
    });
  });

  describe('completeExtraction', () => {
    const complete = (settlement: CallSettlement | null, fence: number) =>
      fixture.inTenant(tenant, (tx) => {
        const answer = { provider: 'claude', model: 'claude-1', notice: null, answer: '{}', items: [], trace: null };
        const rest = { promptVersion: 'p1', diagnostics: { repairs: 2 }, prunedMessages: 3, now: fixture.clock.now() };
        return completeExtraction(tx, { ...answer, ...rest, settlement, batchId, fence }, fixture.ids);
      });

    it('settles its call in the same transaction, and deletes answers that could not be parsed', async () => {
      const fence = await claimForExtraction(fixture, tenant, batchId);
      const [unread, read] = [await reserveForBatch(), await reserveForBatch()];
      await settle(unread, { outcome: 'parsing', answer: { text: 'x', problem: 'y' } });
      expect(await complete(buildSettlement(fixture, read), fence)).toBe('committed');
      expect([await countOpen(), (await readUsage()).length]).toEqual([0, 2]);
      expect(await fixture.queryAsSuperuser('SELECT FROM call_answers')).toEqual([]);
      expect(await readBatch()).toMatchObject({ cost_micro_usd: '60', input_tokens: 200, pruned_messages: 3 });
      expect(
        await fixture.queryAsSuperuser('SELECT prompt_version, diagnostics FROM extractions WHERE batch_id = $1', [
          batchId,
        ]),
      ).toEqual([{ prompt_version: 'p1', diagnostics: { repairs: 2 } }]);
    });

    it('stores an answer without the characters that PostgreSQL cannot store', async () => {
      const fence = await claimForExtraction(fixture, tenant, batchId);
      const [unread, read] = [await reserveForBatch(), await reserveForBatch()];
      expect(await settle(unread, { outcome: 'parsing', answer: { text: 'x\0', problem: 'y\0' } })).toBe('settled');
      const items = [{ content: 'tea\0 \ud800' }] as unknown as ExtractedItem[];
      const result = {
        provider: 'claude',
        model: 'c',
        notice: null,
        answer: '{\0}',
        items,
        trace: null,
        promptVersion: null,
      };
      const rest = { diagnostics: { why: '\0' }, prunedMessages: 0, now: fixture.clock.now(), batchId, fence };
      const settlement = buildSettlement(fixture, read);
      const answered = { ...result, ...rest, settlement };
      expect(await fixture.inTenant(tenant, (tx) => completeExtraction(tx, answered, fixture.ids))).toBe('committed');
      expect(
        await fixture.queryAsSuperuser('SELECT answer, items, diagnostics FROM extractions WHERE batch_id = $1', [
          batchId,
        ]),
      ).toEqual([{ answer: '{}', items: [{ content: 'tea \ufffd' }], diagnostics: { why: '' } }]);
    });

    it('charges a call once that was settled as lost before its answer arrived', async () => {
      const fence = await claimForExtraction(fixture, tenant, batchId);
      const id = await reserveForBatch();
      fixture.clock.advance(RESERVED_MS);
      await expire();
      expect(await complete(buildSettlement(fixture, id), fence)).toBe('committed');
      expect(await readUsage()).toMatchObject([{ outcome: 'lost' }]);
      expect(await readBatch()).toMatchObject({ cost_micro_usd: String(RESERVED_MICRO_USD) });
    });

    it('leaves the call to be settled by a worker that no longer holds the batch', async () => {
      const fence = await claimForExtraction(fixture, tenant, batchId);
      const id = await reserveForBatch();
      expect(await complete(buildSettlement(fixture, id), fence - 1)).toBe('lost');
      expect(await countOpen()).toBe(1);
      expect(await settle(id)).toBe('settled');
    });

    it('writes no usage for a provider that costs nothing', async () => {
      const fence = await claimForExtraction(fixture, tenant, batchId);
      expect(await complete(null, fence)).toBe('committed');
      expect(await readUsage()).toEqual([]);
      expect(await readBatch()).toMatchObject({ state: 'persisting', cost_micro_usd: '0' });
    });
  });

  describe('expireReservations', () => {
    it('settles overdue reservations in full, and no others', async () => {
      const id = await reserveForBatch();
      fixture.clock.advance(RESERVED_MS - 1);
      expect(await expire()).toEqual([]);
      fixture.clock.advance(1);
      expect(await expire()).toEqual([
        {
          reservationId: id,
          day: DAY,
          tenantId: tenant,
          provider: 'claude',
          amountMicroUsd: RESERVED_MICRO_USD,
          charged: true,
        },
      ]);
      expect(await readUsage()).toMatchObject([
        { id, outcome: 'lost', estimated: true, cost_micro_usd: String(RESERVED_MICRO_USD), generation: 1, day: DAY },
      ]);
      expect(await readBatch()).toMatchObject({ cost_micro_usd: String(RESERVED_MICRO_USD) });
      expect(await settle(id)).toBe('gone');
      expect(await expire()).toEqual([]);
    });

    it('deletes those whose call is known not to have been sent, without a charge', async () => {
      const [unsent, sent] = [await reserveForBatch(), await reserveForBatch()];
      fixture.clock.advance(RESERVED_MS);
      const expired = await expire(100, [unsent]);
      expect(new Map(expired.map(({ reservationId, charged }) => [reservationId, charged]))).toEqual(
        new Map([
          [unsent, false],
          [sent, true],
        ]),
      );
      expect(await countOpen()).toBe(0);
      expect(await readUsage()).toMatchObject([{ id: sent, outcome: 'lost' }]);
      expect(await readBatch()).toMatchObject({ cost_micro_usd: String(RESERVED_MICRO_USD) });
    });

    it('settles calls of failed batches, calls without a batch, and several calls of one batch', async () => {
      await reserveForBatch();
      await reserveForBatch();
      await reserve(fixture, tenant, { operation: 'embedding', userId: null });
      const failure = { batchId, kind: 'extraction', generation: 1, code: 'x', message: 'No.' } as const;
      await fixture.inTenant(tenant, (tx) => failBatch(tx, { ...failure, now: fixture.clock.now() }));
      expect(await countOpen()).toBe(3);
      fixture.clock.advance(RESERVED_MS);
      expect(await expire()).toHaveLength(3);
      expect(await readBatch()).toMatchObject({ state: 'failed', cost_micro_usd: String(2 * RESERVED_MICRO_USD) });
    });

    it('starts with the longest overdue, up to the limit', async () => {
      const first = await reserve(fixture, tenant);
      fixture.clock.advance(1_000);
      await reserve(fixture, tenant);
      fixture.clock.advance(RESERVED_MS);
      expect((await expire(1)).map(({ reservationId }) => reservationId)).toEqual([first]);
      expect(await countOpen()).toBe(1);
    });

    it(`charges each call once, with ${MANY} concurrent reconcilers and workers`, async () => {
      const ids: string[] = [];
      for (let n = 0; n < MANY; n++) ids.push(await reserveForBatch());
      fixture.clock.advance(RESERVED_MS);
      const [settled, expired] = await Promise.all([
        Promise.all(ids.map((id) => settle(id))),
        Promise.all(Array.from({ length: MANY }, () => expire(5))),
      ]);
      expired.push(await expire(MANY));
      const lost = expired.flat().length;
      expect(settled.filter((outcome) => outcome === 'settled').length + lost).toBe(MANY);
      expect(await readUsage()).toHaveLength(MANY);
      expect(await countOpen()).toBe(0);
      expect(await readBatch()).toMatchObject({
        cost_micro_usd: String(lost * RESERVED_MICRO_USD + (MANY - lost) * 30),
      });
    });
  });

  describe('findClosedReservations', () => {
    it('returns the outcome of reservations that are no longer open', async () => {
      const [open, settled, cancelled] = [
        await reserve(fixture, tenant),
        await reserve(fixture, tenant),
        await reserve(fixture, tenant),
      ];
      await settle(settled);
      await fixture.inTenant(tenant, (tx) => cancelReservation(tx, cancelled));
      const closed = await findClosedReservations(fixture.database, DAY, [open, settled, cancelled]);
      expect(closed).toHaveLength(2);
      expect(closed).toContainEqual({ reservationId: settled, tenantId: tenant, provider: 'claude', costMicroUsd: 30 });
      expect(closed).toContainEqual({ reservationId: cancelled, tenantId: null, provider: null, costMicroUsd: null });
      expect(await findClosedReservations(fixture.database, DAY, [])).toEqual([]);
    });
  });

  describe('loadPastCalls', () => {
    it('returns the extraction calls of the current generation, oldest first', async () => {
      const calls = [];
      for (const [operation, outcome] of [
        ['extraction', 'timeout'],
        ['embedding', 'ok'],
        ['extraction', 'rate_limit'],
      ] as const) {
        const id = await reserve(fixture, tenant, { batchId, generation: 1, operation });
        fixture.clock.advance(1_000);
        await settle(id, { outcome, costMicroUsd: 7 });
        calls.push({ id, outcome, at: fixture.clock.now() });
      }
      const rest = {
        provider: 'claude',
        model: 'claude-1',
        generation: 1,
        costMicroUsd: 7,
        answer: null,
        problem: null,
      };
      expect(await readPast()).toEqual([
        { ...calls[0], ...rest },
        { ...calls[2], ...rest },
      ]);
    });

    it('omits calls of an earlier generation, except those whose unparsed answer is still stored', async () => {
      await settle(await reserveForBatch(), { outcome: 'timeout' });
      await settle(await reserveForBatch(), { outcome: 'parsing', answer: { text: 'x', problem: 'y' } });
      await fixture.queryAsSuperuser('UPDATE batches SET generation = 2 WHERE id = $1', [batchId]);
      expect(await readPast()).toMatchObject([{ outcome: 'parsing', generation: 1, answer: 'x' }]);
    });

    it('omits those answers as well after a replay of the batch', async () => {
      await settle(await reserveForBatch(), { outcome: 'parsing', answer: { text: 'x', problem: 'y' } });
      const failure = { batchId, kind: 'extraction', generation: 1, code: 'x', message: 'No.' } as const;
      await fixture.inTenant(tenant, async (tx) => {
        await failBatch(tx, { ...failure, now: fixture.clock.now() });
        await replayBatch(tx, batchId, fixture.clock.now(), fixture.ids);
      });
      expect(await readPast()).toEqual([]);
    });
  });
});
