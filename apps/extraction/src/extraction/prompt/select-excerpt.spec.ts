import type { StoredTurn } from '@annals/storage';
import { selectExcerpt } from './select-excerpt.js';

const turn = (seq: number, role: StoredTurn['role']): StoredTurn => ({
  id: `m${seq}`,
  seq,
  role,
  actorId: null,
  content: `words ${seq}`,
  saidAt: seq * 1_000,
});
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe('selectExcerpt', () => {
  const excerpt = selectExcerpt({
    context: [turn(1, 'user'), turn(2, 'tool'), turn(3, 'assistant')],
    messages: [turn(4, 'system'), turn(5, 'user'), turn(6, 'assistant'), turn(7, 'tool'), turn(8, 'user')],
  });

  it('selects the messages of users in the batch, in order', () => {
    expect(ids(excerpt.messages)).toEqual(['m5', 'm8']);
  });

  it('selects earlier turns and the batch’s assistant turns as context, in order', () => {
    expect(ids(excerpt.context)).toEqual(['m1', 'm3', 'm6']);
  });

  it('leaves out system and tool messages', () => {
    const shown = [...excerpt.messages, ...excerpt.context].map(({ role }) => role);
    expect(new Set(shown)).toEqual(new Set(['user', 'assistant']));
  });

  it('preserves id, content, actor and time of messages', () => {
    expect(excerpt.messages[0]).toEqual({
      id: 'm5',
      role: 'user',
      actorId: null,
      content: 'words 5',
      createdAt: 5_000,
    });
  });
});
