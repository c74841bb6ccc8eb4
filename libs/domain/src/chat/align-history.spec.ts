import { alignHistory, type SentTurn, type StoredTurn } from './align-history.js';

/** "u:Hi" is what the user said, "a:Hello" an answer. */
const sentOf = (...turns: string[]) =>
  turns.map((turn): SentTurn => ({ role: turn.startsWith('u:') ? 'user' : 'assistant', keys: [turn] }));
const storedOf = (...turns: string[]) =>
  turns.map((turn, index): StoredTurn => ({
    id: `m${index}`,
    role: turn.startsWith('u:') ? 'user' : 'assistant',
    key: turn,
  }));
const newOf = (sent: string[], stored: string[], repeatsAnew = false) =>
  sent.slice(alignHistory(sentOf(...sent), storedOf(...stored), { repeatsAnew }).newFrom);

describe('alignHistory', () => {
  it.each<[string, string[], string[], string[]]>([
    ['a new thread', ['u:Hi'], [], ['u:Hi']],
    ['a history of a thread that is not stored', ['u:1', 'a:1', 'u:2'], [], ['u:1', 'a:1', 'u:2']],
    ['the next turn', ['u:1', 'a:1', 'u:2'], ['u:1', 'a:1'], ['u:2']],
    ['a retry', ['u:1', 'a:1', 'u:2'], ['u:1', 'a:1', 'u:2'], []],
    ['a retry after the answer was stored', ['u:1'], ['u:1', 'a:1'], []],
    ['an answer that the client changed', ['u:1', 'a:one', 'u:2'], ['u:1', 'a:1'], ['u:2']],
    ['an answer that was asked for twice', ['u:1', 'a:1b', 'u:2'], ['u:1', 'a:1', 'a:1b'], ['u:2']],
    ['a changed one of two answers', ['u:1', 'a:x', 'u:2'], ['u:1', 'a:1', 'a:1b'], ['u:2']],
    ['a message that the user changed', ['u:1', 'a:1', 'u:2b'], ['u:1', 'a:1', 'u:2', 'a:2'], ['u:2b']],
    ['the end of a conversation', ['a:2', 'u:3'], ['u:1', 'a:1', 'u:2', 'a:2'], ['u:3']],
    ['a summary in the place of old messages', ['u:sum', 'a:2', 'u:3'], ['u:1', 'a:1', 'u:2', 'a:2'], ['u:3']],
    ['words that were said before', ['u:yes', 'a:1', 'u:yes'], ['u:yes', 'a:1'], ['u:yes']],
    [
      'words that were said before, at the end',
      ['u:ok', 'a:3', 'u:yes'],
      ['u:yes', 'a:1', 'u:ok', 'a:2', 'u:ok', 'a:3'],
      ['u:yes'],
    ],
    ['turns that went elsewhere', ['u:1', 'a:1', 'u:2', 'a:2', 'u:3'], ['u:1', 'a:1'], ['u:2', 'a:2', 'u:3']],
    ['an answer that was never stored', ['u:1', 'a:1', 'u:2'], ['u:1'], ['a:1', 'u:2']],
    ['an agent that speaks between tools', ['u:1', 'a:1', 'a:2'], ['u:1', 'a:1', 'a:2'], []],
    ['only the latest message, unanswered', ['u:yes'], ['u:1', 'a:1', 'u:yes'], []],
    ['two messages of the user in a row', ['u:1', 'u:2', 'u:3'], ['u:1', 'u:2'], ['u:3']],
    ['the same message twice in a row', ['u:1', 'u:1'], ['u:1'], ['u:1']],
    [
      'an early message that was changed to words said later',
      ['u:1', 'a:1', 'u:yes', 'a:2', 'u:3', 'a:3', 'u:yes', 'a:4', 'u:5'],
      ['u:1', 'a:1', 'u:2', 'a:2', 'u:3', 'a:3', 'u:yes', 'a:4'],
      ['u:5'],
    ],
    [
      'an answer of other words after one that is new',
      ['u:1', 'a:1', 'u:new', 'a:x'],
      ['u:1', 'a:1', 'a:2'],
      ['u:new', 'a:x'],
    ],
  ])('finds what is new of %s', (_what, sent, stored, expected) => {
    expect(newOf(sent, stored)).toEqual(expected);
  });

  it('stores words anew that a client says again which sends only the latest message', () => {
    expect(newOf(['u:yes'], ['u:yes', 'a:1'], true)).toEqual(['u:yes']);
    expect(newOf(['u:yes'], ['u:yes'], true)).toEqual([]);
    expect(newOf(['u:1', 'a:1', 'u:yes'], ['u:1', 'a:1', 'u:yes', 'a:2'], true)).toEqual([]);
  });

  it('takes words for a retry whose answer was cut', () => {
    const stored = storedOf('u:yes', 'a:1').map((turn) => ({ ...turn, isCut: turn.role === 'assistant' }));
    expect(alignHistory(sentOf('u:yes'), stored, { repeatsAnew: true }).newFrom).toBe(1);
  });

  it('knows a message under a former key, and none without one', () => {
    const sent: SentTurn[] = [{ role: 'user', keys: ['new', 'former'] }];
    const stored: StoredTurn = { id: 'm', role: 'user', key: 'former' };
    expect(alignHistory(sent, [stored], { repeatsAnew: false })).toEqual({ newFrom: 1, matched: ['m'] });
    expect(alignHistory(sent, [{ ...stored, key: null }], { repeatsAnew: false }).newFrom).toBe(0);
  });

  it('tells which stored messages were sent again', () => {
    const { matched } = alignHistory(sentOf('u:1', 'a:x', 'u:2'), storedOf('u:1', 'a:1', 'u:2', 'a:2'), {
      repeatsAnew: false,
    });
    expect(matched).toEqual(['m0', 'm1', 'm2']);
  });

  it('aligns a long chat of the same words in a moment', () => {
    const turns = Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? 'u:yes' : 'a:ok'));
    expect(newOf([...turns, 'u:yes'], turns)).toEqual(['u:yes']);
  });
});
