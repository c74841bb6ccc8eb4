import { USAGE_GROUPS, type UsageGroup } from '@annals/contracts';
import fc from 'fast-check';
import { reserve, buildSettlement } from '../fixtures/model-call.fixture.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { InvalidCursorError } from '../database/cursor.js';
import { readUsage, type UsageRow } from './read-usage.js';
import { settleReservation } from './settle-reservation.js';

const ALL_DAYS = { from: '2026-01-01', to: '2026-01-31' };

interface Call {
  day: string;
  provider: string;
  model: string;
  operation: 'extraction' | 'embedding';
  userId: string | null;
  ofBatch: number | null;
  costMicroUsd: number;
}

const callArbitrary: fc.Arbitrary<Call> = fc.record({
  day: fc.constantFrom('2026-01-04', '2026-01-05', '2026-01-06'),
  provider: fc.constantFrom('claude', 'openai'),
  model: fc.constantFrom('small', 'large'),
  operation: fc.constantFrom('extraction' as const, 'embedding' as const),
  userId: fc.constantFrom('ada', 'bob', null),
  ofBatch: fc.constantFrom(0, 1, null),
  costMicroUsd: fc.nat(1_000),
});

describe('readUsage', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batches: string[];

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(() => newTenant());
  afterAll(() => fixture.close());

  async function newTenant(): Promise<void> {
    tenant = await fixture.addTenant();
    batches = [await addDueBatch(fixture, tenant), await addDueBatch(fixture, tenant)];
  }
  const batchOf = (call: Call) => (call.ofBatch === null ? null : batches[call.ofBatch]!);
  async function spend(call: Call): Promise<void> {
    fixture.clock.advance(1);
    const id = await reserve(fixture, tenant, { ...call, batchId: batchOf(call) });
    const settlement = buildSettlement(fixture, id, { costMicroUsd: call.costMicroUsd });
    await fixture.inTenant(tenant, (tx) => settleReservation(tx, settlement));
  }
  const readPage = (groupBy: UsageGroup, limit = 100, cursor?: string, days = ALL_DAYS) =>
    fixture.inTenant(tenant, (tx) => readUsage(tx, { ...days, groupBy, limit, cursor }));
  async function readAll(groupBy: UsageGroup, limit: number): Promise<UsageRow[]> {
    const rows: UsageRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await readPage(groupBy, limit, cursor);
      rows.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return rows;
  }
  const nameOf: Record<UsageGroup, (call: Call, n: number) => string> = {
    day: (call) => call.day,
    model: (call) => `${call.provider} ${call.model} ${call.operation}`,
    user: (call) => String(call.userId),
    batch: (call) => String(batchOf(call)),
    call: (_, n) => String(n),
  };
  const nameOfRow: Record<UsageGroup, (row: UsageRow, n: number) => string> = {
    day: (row) => row.day!,
    model: (row) => `${row.provider} ${row.model} ${row.operation}`,
    user: (row) => String(row.userId),
    batch: (row) => String(row.batchId),
    call: (_, n) => String(n),
  };

  it('counts every call once, for any grouping and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(callArbitrary, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (calls, limit) => {
          await newTenant();
          for (const call of calls) await spend(call);
          for (const group of USAGE_GROUPS) {
            const rows = await readAll(group, limit);
            // Calls are listed newest first, one per row.
            const ordered = group === 'call' ? calls.toReversed() : calls;
            const expected = new Map<string, { calls: number; costMicroUsd: number }>();
            for (const [n, call] of ordered.entries()) {
              const name = nameOf[group](call, n);
              const { calls: before, costMicroUsd } = expected.get(name) ?? { calls: 0, costMicroUsd: 0 };
              expected.set(name, { calls: before + 1, costMicroUsd: costMicroUsd + call.costMicroUsd });
            }
            const names = rows.map((row, n) => nameOfRow[group](row, n));
            expect(names).toHaveLength(expected.size);
            const read = rows.map(({ calls: count, costMicroUsd }, n) => [names[n], { calls: count, costMicroUsd }]);
            expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  const CALL: Call = {
    day: '2026-01-05',
    provider: 'claude',
    model: 'small',
    operation: 'extraction',
    userId: 'ada',
    ofBatch: 0,
    costMicroUsd: 7,
  };

  it('returns all figures of a call, and for a group only the names it is grouped by', async () => {
    await spend(CALL);
    const figures = {
      calls: 1,
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 5,
      costMicroUsd: 7,
      estimated: false,
    };
    expect((await readPage('call')).items).toEqual([
      {
        ...figures,
        day: '2026-01-05',
        provider: 'claude',
        model: 'small',
        operation: 'extraction',
        userId: 'ada',
        batchId: batches[0],
        callId: expect.any(String),
        outcome: 'ok',
        at: fixture.clock.now(),
      },
    ]);
    const nameless = { operation: null, userId: null, batchId: null, callId: null, outcome: null, at: null };
    expect((await readPage('day')).items).toEqual([
      { ...figures, ...nameless, day: '2026-01-05', provider: null, model: null },
    ]);
  });

  it('includes the first and the last day, newest days first', async () => {
    for (const day of ['2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06']) await spend({ ...CALL, day });
    const page = await readPage('day', 100, undefined, { from: '2026-01-04', to: '2026-01-05' });
    expect(page.items.map((row) => row.day)).toEqual(['2026-01-05', '2026-01-04']);
  });

  it('returns nothing of another tenant', async () => {
    await spend(CALL);
    tenant = await fixture.addTenant();
    expect(await readPage('model')).toEqual({ items: [], next_cursor: null });
  });

  it.each(USAGE_GROUPS)('rejects a cursor for %s that it did not issue', async (group) => {
    await expect(readPage(group, 1, 'nonsense')).rejects.toThrow(InvalidCursorError);
    const forged = Buffer.from(JSON.stringify(['\0', 1, '2026-02-31'])).toString('base64url');
    await expect(readPage(group, 1, forged)).rejects.toThrow(InvalidCursorError);
  });
});
