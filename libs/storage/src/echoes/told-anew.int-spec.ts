import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadOverMemories } from './note-echoes.js';
import type { RecallSearch } from '../query/recall-search.js';

const DAY = 86_400_000;
const LISBON = 'The user lives in Lisbon.';
const AGAIN = 'The user is based in Lisbon again.';
const LOOK_ALIKE = 'The user visited Lisbon.';
const ECHO = 'Great that you live in Lisbon!';

describe('what is told anew in other words', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  afterAll(() => fixture.close());

  const advance = (days: number) => fixture.clock.reset(fixture.clock.now() + days * DAY);
  const echo = (user: string) =>
    recall.postAndIndexTurns(user, 't', { role: 'assistant', content: ECHO, saidAt: fixture.clock.now() });
  const find = async (user: string, extra: Partial<RecallSearch> = {}) => {
    const [turn] = await recall.candidates(user, ECHO, { types: ['turn'], ...extra });
    return turn?.superseded;
  };

  it('holds again, with its echoes, as long as the new statement does', async () => {
    await echo('back');
    await recall.remember('back', LISBON);
    advance(10);
    await recall.remember('back', 'The user lives in Porto.');
    const inPorto = new Date(fixture.clock.now() + DAY).toISOString();
    advance(10);
    await recall.remember('back', LOOK_ALIKE);
    expect(await find('back')).toBe('wholly');
    const [again] = await recall.remember('back', AGAIN);
    expect(await find('back')).toBe('no');
    expect(await find('back', { asOf: inPorto })).toBe('wholly');
    await recall.write('back', { kind: 'delete', memoryId: again!, by: 'ttl' });
    expect(await find('back')).toBe('wholly');
  });

  it.each(['undone', 'purged'])('brings back what an assistant repeats after a deletion, then %s', async (then) => {
    const [lisbon] = await recall.remember(then, LISBON);
    await recall.write(then, { kind: 'delete', memoryId: lisbon!, by: 'user' });
    advance(1);
    await echo(then);
    await recall.remember(then, LOOK_ALIKE);
    expect(await find(then)).toBeUndefined();
    const [again] = await recall.remember(then, AGAIN);
    expect(await find(then)).toBe('no');
    if (then === 'purged') {
      advance(30);
      await recall.write(then, { kind: 'purge', memoryId: lisbon! });
      expect(await find(then)).toBe('no');
    }
    await recall.write(then, { kind: 'undo', memoryId: again! });
    expect(await find(then)).toBeUndefined();
  });

  /** As the similarity check does that finds two memories to mean the same. */
  const merge = (user: string, memoryId: string, kept: string) =>
    recall.write(user, {
      kind: 'compare',
      memoryId,
      statement: { content: AGAIN, type: 'semantic' },
      same: [{ memoryId: kept, revision: 1 }],
    });

  it('holds after the new statement was merged into an older one of the same meaning', async () => {
    await echo('twins');
    await recall.remember('twins', LISBON);
    advance(10);
    await recall.remember('twins', 'The user lives in Porto.');
    advance(10);
    // The rule does not know that it says the same.
    const [older] = await recall.remember('twins', 'The user dwells in the city of Lisbon.');
    expect(await find('twins')).toBe('wholly');
    advance(1);
    const [again] = await recall.remember('twins', AGAIN);
    await merge('twins', again!, older!);
    expect(await find('twins')).toBe('no');
    await recall.write('twins', { kind: 'delete', memoryId: older!, by: 'ttl' });
    expect(await find('twins')).toBe('wholly');
  });

  it('is looked for in what ended last, of which what was merged is left out', async () => {
    const [lisbon] = await recall.remember('merged', LISBON);
    await recall.write('merged', { kind: 'delete', memoryId: lisbon!, by: 'user' });
    advance(1);
    const [kept, repeated] = await recall.remember(
      'merged',
      'The user owns a boat.',
      'The user is the owner of a boat.',
    );
    await merge('merged', repeated!, kept!);
    const over = async (maxRead?: number) => {
      const memories = await fixture.inTenant(recall.tenantId, (tx) => loadOverMemories(tx, 'merged', maxRead));
      return memories.map(({ id }) => id);
    };
    expect(await over()).toEqual([lisbon]);
    expect(await over(1)).toEqual([]);
  });

  it('is a relation in the history of what was over, and none in the same words', async () => {
    const [lisbon] = await recall.remember('history', LISBON);
    advance(1);
    await recall.remember('history', 'The user lives in Porto.');
    advance(1);
    const [again] = await recall.remember('history', AGAIN);
    await recall.remember('history', 'The user lives in Porto.');
    const rows = await fixture.queryAsSuperuser(
      `SELECT h.memory_id, h.new_ref, r.strength FROM history h
         LEFT JOIN relations r ON r.from_id = h.memory_id AND r.to_id = h.new_ref
        WHERE h.user_id = 'history' AND h.meta ->> 'reason' = 'told_anew'`,
    );
    expect(rows).toEqual([{ memory_id: lisbon, new_ref: again, strength: 1 }]);
  });
});
