import type { FileStamp } from './file-stamp.js';
import { isLeftBy, OwnChanges } from './own-changes.js';

const ONE = { size: 3, mtimeMs: 1.5, ino: 1 };
const TWO = { ...ONE, ino: 2 };
const THREE = { ...ONE, ino: 3 };

describe('what this process did to files', () => {
  const isOwn = (own: OwnChanges, found: FileStamp | null, path = 'a.md') => {
    const note = own.find('/vault', path);
    return note !== undefined && isLeftBy(note, found);
  };

  it('is what it left, and while it is at work what was there before', () => {
    const own = new OwnChanges();
    const end = own.begin('/vault', 'a.md', TWO, ONE);
    expect([ONE, TWO, THREE, null].map((found) => isOwn(own, found))).toEqual([true, true, false, false]);
    end(true);
    expect([ONE, TWO, THREE, null].map((found) => isOwn(own, found))).toEqual([false, true, false, false]);
    const remove = own.begin('/vault', 'a.md', null);
    expect([TWO, null].map((found) => isOwn(own, found))).toEqual([true, true]);
    remove(true);
    expect([TWO, null].map((found) => isOwn(own, found))).toEqual([false, true]);
  });

  it('is what it was when nothing was done', () => {
    const own = new OwnChanges();
    own.begin('/vault', 'a.md', ONE)(false);
    expect(own.find('/vault', 'a.md')).toBeUndefined();
    own.begin('/vault', 'a.md', ONE)(true);
    own.begin('/vault', 'a.md', TWO)(false);
    expect([ONE, TWO].map((found) => isOwn(own, found))).toEqual([true, false]);
  });

  it('is forgotten when there is too much, the oldest first', () => {
    const own = new OwnChanges(2);
    own.begin('/vault', 'a.md', ONE)(true);
    own.begin('/vault', 'b.md', ONE)(true);
    own.begin('/vault', 'a.md', TWO)(true);
    own.begin('/vault', 'c.md', ONE)(true);
    expect(isOwn(own, ONE, 'b.md')).toBe(false);
    expect([isOwn(own, TWO), isOwn(own, ONE, 'c.md')]).toEqual([true, true]);
  });
});
