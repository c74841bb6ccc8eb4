import type { NotTaken } from '../formats/not-taken.js';
import type { AnnalsLine } from '../formats/read-annals.js';
import { readConversationParts } from './read-annals-parts.js';

const conversation = (id: string) => ({ is: 'conversation', id, conversation: { id } }) as AnnalsLine;
const message = (conversationId: string, id: string) => {
  return { is: 'message', conversationId, message: { id } } as AnnalsLine;
};
const END: AnnalsLine = { is: 'end', counts: {} };

describe('conversations of an export', () => {
  async function* given(lines: readonly AnnalsLine[]) {
    yield* lines;
  }

  async function read(lines: readonly AnnalsLine[], skipped = 0) {
    const notTaken: NotTaken[] = [];
    const groups: { position: number; sent: string[] }[] = [];
    const parts = readConversationParts(given(lines), skipped, (what) => notTaken.push(what));
    for await (const { part, position } of parts) {
      const sent = part.map(({ conversation: { id }, messages, isContinued }) =>
        [`${id}${isContinued ? '+' : ''}`, ...messages.map((each) => each.id)].join(' '),
      );
      groups.push({ position, sent });
    }
    return { groups, notTaken: notTaken.map(({ id, reason }) => `${id}: ${reason}`) };
  }

  it('come with their messages, a page at a time, and those without any at its end', async () => {
    const lines = [conversation('A'), conversation('B'), conversation('C'), message('A', 'a1'), message('C', 'c1')];
    const { groups } = await read([...lines, conversation('D'), message('D', 'd1'), END]);
    expect(groups).toEqual([
      { position: 4, sent: ['A a1'] },
      { position: 5, sent: ['C c1', 'B'] },
      { position: 8, sent: ['D d1'] },
    ]);
  });

  it('have no messages of others, which are named when their conversation is missing', async () => {
    const lines = [
      conversation('A'),
      message('A', 'a1'),
      message('X', 'of another'),
      message('A', 'a2'),
      conversation('B'),
      message('B', 'b1'),
      message('A', 'late'),
      END,
    ];
    const { groups, notTaken } = await read(lines);
    expect(groups.flatMap(({ sent }) => sent)).toEqual(['A a1 a2', 'B b1']);
    expect(notTaken).toEqual([
      'of another: messages without their conversation',
      'late: messages without their conversation',
    ]);
    for (const [index, { position }] of groups.entries()) {
      const again = await read(lines, position);
      expect(again.groups).toEqual(groups.slice(index + 1));
      expect(again.notTaken).toEqual(notTaken.slice(index + 1));
    }
  });

  it('are sent once wherever an import goes on, also those without messages', async () => {
    const lines = [
      conversation('A'),
      conversation('B'),
      conversation('C'),
      message('B', 'b1'),
      conversation('D'),
      conversation('E'),
      END,
    ];
    const { groups } = await read(lines);
    expect(groups.flatMap(({ sent }) => sent)).toEqual(['B b1', 'A', 'C', 'D', 'E']);
    for (const [index, { position }] of groups.entries()) {
      expect((await read(lines, position)).groups).toEqual(groups.slice(index + 1));
    }
  });
});
