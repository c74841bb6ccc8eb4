import type { ExtractedItem } from '@annals/contracts';
import { hashContent } from '@annals/domain';
import { arrangeItems } from '../arrange-items.js';
import { countMemoriesOf, limitTurns, selectCandidates } from './best-of-turns.js';
import { item } from './extracted-item.fixture.js';

describe('the limit of a turn with a second pass', () => {
  const messages = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const turnIds = ['a', 'b'];
  const add = (found: readonly ExtractedItem[], answer: readonly ExtractedItem[]) => {
    const candidates = arrangeItems(answer, messages);
    const { selected, ignored } = selectCandidates(candidates, turnIds);
    const before = countMemoriesOf(found, turnIds);
    const pass = { turnIds, before, candidates: candidates.length, ignored, skippedReason: null };
    const { items, report } = limitTurns(arrangeItems([...found, ...selected], messages), pass);
    return { items, kept: contents(items), ...report! };
  };
  const contents = (items: readonly ExtractedItem[]) => items.map(({ content }) => content);
  const hashes = (...dropped: string[]) => dropped.map(hashContent);
  const facts = (importances: readonly number[], id = 'a') =>
    importances.map((importance, index) => item(`fact ${index} of ${id}`, id, { importance, confidence: index / 10 }));

  it('counts the memories of both passes', () => {
    const { kept, added, dropped } = add([item('first', 'a', { importance: 3 })], facts([3, 2, 4]));
    expect(kept).toEqual(['fact 0 of a', 'fact 2 of a', 'first'].toSorted());
    expect({ added, dropped }).toEqual({ added: 2, dropped: hashes('fact 1 of a') });
  });

  it('retains what is most important, then most confident, whichever pass found it', () => {
    const first = item('first', 'a', { importance: 1 });
    expect(add([first], facts([2, 2, 2, 5]))).toMatchObject({
      kept: ['fact 1 of a', 'fact 2 of a', 'fact 3 of a'],
      added: 2,
      dropped: hashes('fact 0 of a', 'first'),
    });
  });

  it('does not depend on the order of the answer', () => {
    const candidates = facts([2, 2, 2, 2, 2, 2]).map(({ confidence: _confidence, ...each }) => each);
    const forwards = add([], candidates);
    expect(forwards.kept).toEqual(['fact 0 of a', 'fact 1 of a', 'fact 2 of a']);
    expect(add([], candidates.toReversed()).kept).toEqual(forwards.kept);
  });

  it('is of each turn alone, and of none without a second pass', () => {
    const found = [...facts([1, 1, 1, 1, 1], 'c'), item('of b', 'b')];
    expect(add(found, facts([2, 2, 2])).kept).toHaveLength(9);
  });

  it('reports candidates beyond the first five too', () => {
    const { kept, candidates, dropped } = add([], facts([1, 2, 3, 4, 5, 5, 5]));
    expect(kept).toEqual(['fact 4 of a', 'fact 5 of a', 'fact 6 of a']);
    expect(candidates).toBe(7);
    expect(dropped.toSorted()).toEqual(hashes(...[0, 1, 2, 3].map((index) => `fact ${index} of a`)).toSorted());
  });

  it('leaves everything as it is without a second pass', () => {
    const items = facts([1, 1, 1, 1]);
    expect(limitTurns(items, null)).toEqual({ items, report: null });
  });

  it('counts a memory in every turn that it cites, an equal one once, and none that is quarantined', () => {
    const both = item('both', 'a', {
      importance: 5,
      evidence: ['a', 'b'].map((id) => ({ message_id: id, quote: id })),
    });
    const held = item('held', 'a', { importance: 5, quarantineReason: 'no_evidence' });
    const again = item('Fact 2 of a!', 'a', { importance: 2, confidence: 0.2 });
    const { kept, added } = add([held, again], [both, ...facts([2, 2, 2]), ...facts([2, 2, 2], 'b')]);
    expect(kept).toEqual(['both', 'fact 1 of a', 'fact 2 of a', 'held', 'fact 1 of b', 'fact 2 of b']);
    expect(added).toBe(4);
  });

  it('ignores candidates of no such turn, and relations between candidates', () => {
    const relations = [{ to_index: 0, relation_type: 'follows', strength: 1 }];
    const { items } = add(
      [],
      [
        item('of nobody', 'z'),
        item('held', 'b', { quarantineReason: 'no_evidence' }),
        item('of b', 'b', { relations }),
      ],
    );
    expect(items).toEqual([item('of b', 'b')]);
  });
});
