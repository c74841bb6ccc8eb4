import type { ConversationMessage } from '@annals/llm-core';
import { findLongTurns, findMissedTurns } from './find-missed-facts.js';
import { item } from './extracted-item.fixture.js';

const turn = (id: string, length: number, role: ConversationMessage['role'] = 'user'): ConversationMessage => ({
  id,
  role,
  actorId: null,
  content: 'x'.repeat(length),
  createdAt: 0,
});
const ids = (turns: readonly { id: string }[]) => turns.map(({ id }) => id);

describe('the second pass over long turns', () => {
  it('covers turns of users above a length, and none when it is disabled', () => {
    const turns = [turn('short', 600), turn('long', 601), turn('assistant', 900, 'assistant')];
    expect(ids(findLongTurns(turns, { minLength: 600 }))).toEqual(['long']);
    expect(findLongTurns(turns, { minLength: 0 })).toEqual([]);
  });

  it('covers those with at most one memory that is not quarantined', () => {
    const turns = [turn('a', 700), turn('b', 700), turn('c', 700)];
    const items = [
      item('one', 'a'),
      item('two', 'a', { evidence: [{ message_id: 'a', quote: 'y' }] }),
      item('three', 'b'),
      item('quarantined', 'b', { quarantineReason: 'quote_not_found' }),
    ];
    expect(ids(findMissedTurns(turns, items))).toEqual(['b', 'c']);
  });

  it('counts the halves of a compound memory once', () => {
    expect(ids(findMissedTurns([turn('a', 700)], [item('one half', 'a'), item('other half', 'a')]))).toEqual(['a']);
  });

  it('covers none that has as many memories as it may have', () => {
    const halves = ['one', 'two', 'three'].map((content) => item(content, 'a'));
    expect(findMissedTurns([turn('a', 700)], halves)).toEqual([]);
    expect(ids(findMissedTurns([turn('a', 700)], halves.slice(1)))).toEqual(['a']);
  });
});
