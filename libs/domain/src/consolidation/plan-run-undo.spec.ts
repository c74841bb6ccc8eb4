import { type CurrentMemory, planRunUndo, type WrittenChange } from './plan-run-undo.js';

const at = (memoryId: string, revision: number) => ({ memoryId, revision });
const MERGE: WrittenChange = { id: 'merge', kind: 'merge', memories: [at('a', 2), at('b', 2), at('new', 1)] };
const LINK: WrittenChange = { id: 'link', kind: 'link', memories: [at('c', 1), at('d', 1)] };
const RERANK: WrittenChange = { id: 'rerank', kind: 'rerank', memories: [at('c', 2)] };
const RUN = [MERGE, LINK, RERANK];
const UNTOUCHED: Readonly<Record<string, number>> = { a: 2, b: 2, new: 1, c: 2, d: 1 };
const undo = (changed: Readonly<Record<string, Partial<CurrentMemory> | null>> = {}, undone?: ReadonlySet<string>) =>
  planRunUndo(
    RUN,
    new Map(
      Object.entries(UNTOUCHED).flatMap(([id, revision]) =>
        changed[id] === null ? [] : [[id, { revision, isDeleted: false, ...changed[id] }] as const],
      ),
    ),
    undone,
  );

describe('planRunUndo', () => {
  it('undoes all changes, the last one first', () => {
    expect(undo()).toEqual({ undo: ['rerank', 'link', 'merge'], left: [] });
  });

  it.each(['a', 'b', 'new'])('leaves a merge when %s was changed since', (memoryId) => {
    expect(undo({ [memoryId]: { revision: 9 } })).toEqual({
      undo: ['rerank', 'link'],
      left: [{ id: 'merge', reason: 'changed_since', memoryId }],
    });
  });

  it('undoes a relation of changed memories, and leaves their importance', () => {
    expect(undo({ c: { revision: 9 } })).toEqual({
      undo: ['link', 'merge'],
      left: [{ id: 'rerank', reason: 'changed_since', memoryId: 'c' }],
    });
  });

  it.each([null, { isDeleted: true }])('leaves what is deleted', (gone) => {
    expect(undo({ d: gone }).left).toEqual([{ id: 'link', reason: 'deleted_since', memoryId: 'd' }]);
  });

  it('undoes changes of one memory in one run, since the later one is gone when the earlier one is undone', () => {
    const earlier: WrittenChange = { id: 'first', kind: 'rerank', memories: [{ ...at('c', 2), revisionBefore: 1 }] };
    const later: WrittenChange = {
      id: 'second',
      kind: 'merge',
      memories: [{ ...at('c', 3), revisionBefore: 2 }, { ...at('d', 2), revisionBefore: 1 }, at('new', 1)],
    };
    const current = new Map(
      [at('c', 3), at('d', 2), at('new', 1)].map(({ memoryId, revision }) => [
        memoryId,
        { revision, isDeleted: false },
      ]),
    );
    expect(planRunUndo([earlier, later], current)).toEqual({ undo: ['second', 'first'], left: [] });
  });

  it('undoes nothing twice', () => {
    expect(undo({}, new Set(['merge'])).left).toEqual([{ id: 'merge', reason: 'undone', memoryId: null }]);
  });
});
