import { ANALYZER_VERSION, ECHOES_VERSION } from '@annals/domain';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { findUnindexed } from '../lexical/find-unindexed.js';
import { findEchoesDue, notePageOfEchoes } from './note-earlier-echoes.js';

/** Memories that are over: three pages. */
const MANY = 120;
const MESSAGES_OF_BATCH = 40;
const game = (n: number) => `The user plays Game${n}.`;
const echoOf = (n: number) => `Great that you play Game${n}!`;

describe('turns that repeat what ended or was deleted before the upgrade', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
    await remember('many', MANY);
  });
  afterAll(() => fixture.close());

  /** Memories that were told, repeated and then deleted or, every third, replaced. Returns the notes of their echoes. */
  async function remember(user: string, count: number, of = recall) {
    const numbers = Array.from({ length: count }, (_, n) => n);
    for (let start = 0; start < count; start += MESSAGES_OF_BATCH) {
      const said = numbers.slice(start, start + MESSAGES_OF_BATCH);
      await of.postAndIndexTurns(user, 't', ...said.map((n) => ({ role: 'assistant' as const, content: echoOf(n) })));
    }
    const ids = await of.remember(user, ...numbers.map(game));
    await of.write(
      user,
      ...ids.map((memoryId, n) =>
        n % 3 === 0
          ? { kind: 'supersede' as const, memoryId, memory: of.memory(`The user likes Sport${n}.`) }
          : { kind: 'delete' as const, memoryId, by: 'user' as const },
      ),
    );
    return notes(user, of);
  }

  const wipeNotes = (user: string, of = recall) =>
    fixture.queryAsSuperuser(
      `UPDATE messages SET echo_of = NULL
        WHERE conversation_id IN (SELECT id FROM conversations WHERE tenant_id = $1 AND user_id = $2)`,
      [of.tenantId, user],
    );

  /** As releases before the notes of echoes have left it. */
  async function forgetNotes(user: string, of = recall) {
    await wipeNotes(user, of);
    await fixture.queryAsSuperuser('UPDATE users SET analyzer = $3 WHERE tenant_id = $1 AND user_id = $2', [
      of.tenantId,
      user,
      ANALYZER_VERSION,
    ]);
  }

  const notes = (user: string, of = recall) =>
    fixture.queryAsSuperuser<{ content: string; echo_of: string[] }>(
      `SELECT m.content, m.echo_of FROM messages m JOIN conversations c ON c.id = m.conversation_id
        WHERE c.tenant_id = $1 AND c.user_id = $2 AND m.echo_of IS NOT NULL ORDER BY m.seq`,
      [of.tenantId, user],
    );
  const request = () => ({ now: fixture.clock.now(), ids: fixture.ids });
  const page = (user: string, of = recall) =>
    fixture.inTenant(of.tenantId, (tx) => notePageOfEchoes(tx, user, request()));
  const due = (after: Parameters<typeof findEchoesDue>[1]['after'] = null, limit = 10) =>
    findEchoesDue(fixture.database, { after, skipped: [], limit });
  const entry = (user: string, of = recall) => ({ tenantId: of.tenantId, userId: user, version: ANALYZER_VERSION });
  /** How much of the turn is over; undefined when it is not found. */
  const judge = async (n: number) => {
    const { isUnindexed, candidates } = await recall.find('many', `Game${n}`, { types: ['turn'] });
    expect(isUnindexed).toBe(false);
    return candidates.find(({ content }) => content === echoOf(n))?.superseded;
  };

  it('are found page by page, as they were noted when that ended, whatever process is killed', async () => {
    const noted = await notes('many');
    expect(noted).toHaveLength(MANY);
    await forgetNotes('many');
    expect(await due()).toEqual([entry('many')]);
    expect(await page('many')).toBe(50);
    const afterFirst = await notes('many');
    expect(afterFirst).toHaveLength(50);
    // A process that is killed within its transaction.
    const killed = fixture.inTenant(recall.tenantId, async (tx) => {
      await notePageOfEchoes(tx, 'many', request());
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await notes('many')).toEqual(afterFirst);
    expect(await page('many')).toBe(50);
    expect(await due()).toEqual([entry('many')]);
    expect(await page('many')).toBe(20);
    expect(await due()).toEqual([]);
    expect(await notes('many')).toEqual(noted);
    expect(await page('many')).toBe(0);
  });

  it('are served as before the upgrade until their page is done, and their index is no reason to wait', async () => {
    await forgetNotes('many');
    expect([await judge(0), await judge(1)]).toEqual(['no', 'no']);
    expect(await findUnindexed(fixture.database, { limit: 10, now: fixture.clock.now() })).toEqual([]);
    while (await page('many'));
    expect([await judge(0), await judge(1)]).toEqual(['wholly', undefined]);
  });

  it('are due again for who was written for by a process of an earlier release', async () => {
    const [echo] = await remember('shared', 1);
    expect(await due()).toEqual([]);
    // What such a process leaves of the version when it adds a unit.
    await fixture.queryAsSuperuser(`UPDATE users SET analyzer = least(analyzer, 3::smallint) WHERE user_id = 'shared'`);
    await wipeNotes('shared');
    expect(await due()).toEqual([entry('shared')]);
    await page('shared');
    expect(await notes('shared')).toEqual([echo]);
  });

  it('are due with each index that is made anew, from the beginning', async () => {
    const noted = await notes('many');
    await forgetNotes('many');
    await page('many');
    await fixture.queryAsSuperuser(`UPDATE users SET analyzer = 0 WHERE user_id = 'many'`);
    // They are looked up in the index: one of an earlier analyser is made anew first.
    expect(await due()).toEqual([]);
    expect(await page('many')).toBe(0);
    await recall.rebuild('many');
    expect(await due()).toEqual([entry('many')]);
    await wipeNotes('many');
    while (await page('many'));
    expect(await notes('many')).toEqual(noted);
  });

  it('keep the note of a turn that is older than those compared, and lose that of one that is none', async () => {
    const [note] = await remember('capped', 1);
    const lookAlikes = ['Did you play Game0?', 'My sister plays Game0.'];
    await recall.postAndIndexTurns('capped', 't', ...lookAlikes.map((content) => ({ content })));
    const again = async (maxUnits: number) => {
      await fixture.queryAsSuperuser(`UPDATE users SET analyzer = $1 WHERE user_id = 'capped'`, [ANALYZER_VERSION]);
      const paging = { ...request(), maxUnits };
      expect(await fixture.inTenant(recall.tenantId, (tx) => notePageOfEchoes(tx, 'capped', paging))).toBe(1);
      return notes('capped');
    };
    // The two look-alikes are newer: the echo is not among the compared.
    expect(await again(2)).toEqual([note]);
    // By an earlier rule.
    await fixture.queryAsSuperuser('UPDATE messages SET echo_of = $1 WHERE content = ANY ($2)', [
      note!.echo_of,
      lookAlikes,
    ]);
    expect(await notes('capped')).toHaveLength(3);
    expect(await again(3)).toEqual([note]);
  });

  it('are due for one user of each tenant at a time', async () => {
    const others = [new RecallFixture(fixture, await fixture.addTenant())];
    others.push(new RecallFixture(fixture, await fixture.addTenant()));
    const users = [recall, others[0]!, others[0]!, others[1]!].map((of, n) => [of, `turn-${n}`] as const);
    for (const [of, user] of users) {
      await remember(user, 1, of);
      await forgetNotes(user, of);
    }
    const [mine, first, second, theirs] = users.map(([of, user]) => entry(user, of));
    expect(await due()).toEqual([mine, first, theirs]);
    expect(await due(mine, 1)).toEqual([first]);
    const search = { after: null, skipped: [first!], limit: 2 };
    expect(await findEchoesDue(fixture.database, search)).toEqual([mine, second]);
  });

  it('have a version above that of the index, in which they are looked up', () => {
    expect(ECHOES_VERSION).toBeGreaterThan(ANALYZER_VERSION);
  });
});
