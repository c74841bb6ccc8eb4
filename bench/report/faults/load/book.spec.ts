import { Book, findMarks, renderCorrection, renderMemory, renderMessage } from './book.ts';

describe('the book of a run', () => {
  const makeBook = () => {
    const book = new Book();
    const mine = book.say({ tenant: 0, userId: 'ana', saidAt: 1_000, fate: 'kept' });
    const neighbours = book.say({ tenant: 0, userId: 'ben', saidAt: 1_000, fate: 'kept' });
    const foreign = book.say({ tenant: 1, userId: 'ana', saidAt: 1_000, fate: 'kept' });
    return { book, mine, neighbours, foreign };
  };
  const asked = { tenant: 0, userId: 'ana' };

  it('finds the numbers of statements in any text, each once', () => {
    expect(findMarks('mark-7x and "mark-12x", again mark-7x; no mark-x, mark-3')).toEqual([7, 12]);
    for (const render of [renderMessage, renderMemory, renderCorrection])
      expect(findMarks(render({ number: 5, fate: 'erased' }))).toEqual([5]);
  });

  it('finds nothing wrong with the statements of who is asked about', () => {
    const { book, mine } = makeBook();
    expect(book.examine(renderMemory(mine), asked)).toEqual([mine.number]);
    expect(book.violations.foreign).toEqual([]);
  });

  it('finds statements of another user, of the same user of another tenant, and of nobody', () => {
    const { book, neighbours, foreign } = makeBook();
    for (const text of [renderMemory(neighbours), renderMemory(foreign), 'mark-999x']) book.examine(text, asked);
    expect(book.violations.foreign).toHaveLength(3);
  });

  it('finds statements that were made after the time of which was asked', () => {
    const { book, mine } = makeBook();
    book.examine(renderMemory(mine), { ...asked, until: 1_000 });
    expect(book.violations.anachronism).toEqual([]);
    book.examine(renderMemory(mine), { ...asked, until: 999 });
    expect(book.violations.anachronism).toHaveLength(1);
  });

  it('lets only statements that stay be said again', () => {
    const { book, mine } = makeBook();
    book.confirm(mine);
    book.confirm(book.say({ tenant: 0, userId: 'ana', saidAt: 1_000, fate: 'deleted' }));
    expect(book.kept[0]).toEqual([mine]);
  });
});
