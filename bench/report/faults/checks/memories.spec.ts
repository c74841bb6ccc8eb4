import { type Mark, renderCorrection, renderMemory } from '../load/book.ts';
import { compareMemories, type SeenMemory } from './memories.ts';

const NOTHING = { lost: [], doubled: [], foreign: [], returned: [] };
const makeMark = (number: number, over: Partial<Mark> = {}): Mark => ({
  number,
  tenant: 0,
  userId: 'ana',
  saidAt: 0,
  fate: 'kept',
  isChanged: false,
  ...over,
});
const show = (mark: Mark, over: Partial<SeenMemory> = {}): SeenMemory => ({
  tenant: mark.tenant,
  userId: mark.userId,
  content: renderMemory(mark),
  ...over,
});

describe('what is remembered after a run', () => {
  const kept = makeMark(1);
  const corrected = makeMark(2, { fate: 'corrected', isChanged: true });
  const deleted = makeMark(3, { fate: 'deleted', isChanged: true });
  const erased = makeMark(4, { fate: 'erased' });
  const unchanged = makeMark(5, { fate: 'deleted' });
  const marks = [kept, corrected, deleted, erased, unchanged];
  const right = [show(kept), show(corrected, { content: renderCorrection(corrected) }), show(unchanged)];

  it('is right when every statement is there once, as it was said or corrected, and nothing else', () => {
    expect(compareMemories(marks, right)).toEqual(NOTHING);
  });

  it('lacks a statement', () => {
    expect(compareMemories(marks, right.slice(1)).lost).toHaveLength(1);
    expect(compareMemories(marks, right.toSpliced(1, 1)).lost).toHaveLength(1);
  });

  it('has a statement twice', () => {
    expect(compareMemories(marks, [...right, show(kept)])).toEqual({ ...NOTHING, doubled: [expect.any(String)] });
  });

  it('has a statement of another user or tenant', () => {
    for (const other of [{ tenant: 1 }, { userId: 'ben' }])
      expect(compareMemories(marks, [...right, show(kept, other)])).toEqual({
        ...NOTHING,
        foreign: [expect.any(String)],
      });
  });

  it('has what was corrected, deleted or erased', () => {
    for (const mark of [corrected, deleted, erased])
      expect(compareMemories(marks, [...right, show(mark)])).toEqual({ ...NOTHING, returned: [expect.any(String)] });
  });
});
