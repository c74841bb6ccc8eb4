import { foldersAbove, readPath } from './paths.js';

describe('readPath', () => {
  it.each([
    ['/memories', '/memories'],
    ['/memories/', '/memories'],
    ['/memories/a.md', '/memories/a.md'],
    ['/memories//a/./b.md', '/memories/a/b.md'],
    ['/memories/a/../b.md', '/memories/b.md'],
    ['/memories/Über uns.md', '/memories/Über uns.md'],
  ])('reads %s', (path, read) => {
    expect(readPath(path)).toBe(read);
  });

  it.each([
    ['/memories/..', 'Path /memories/.. would escape /memories directory'],
    ['/memories/a/../../etc/passwd', 'Path /memories/a/../../etc/passwd would escape /memories directory'],
    ['/memories/%2e%2e/etc', 'Path /memories/%2e%2e/etc would escape /memories directory'],
    [String.raw`/memories/..\etc`, String.raw`Path /memories/..\etc would escape /memories directory`],
    ['/etc/passwd', 'Path must start with /memories, got: /etc/passwd'],
    ['/memoriesother', 'Path must start with /memories, got: /memoriesother'],
    ['memories/a', 'Path must start with /memories, got: memories/a'],
    [undefined, 'Path must start with /memories, got: undefined'],
    [`/memories/${'a'.repeat(512)}`, 'The path is too long: use at most 512 characters.'],
    ['/memories/a\0b', 'The path has characters that no name may have: use letters, digits, "-", "_" and ".".'],
  ])('refuses %s', (path, message) => {
    expect(() => readPath(path)).toThrow(message);
  });
});

describe('foldersAbove', () => {
  it('names each folder of a path', () => {
    expect(foldersAbove('/memories/a/b/c.md')).toEqual(['/memories/a', '/memories/a/b']);
    expect(foldersAbove('/memories/c.md')).toEqual([]);
  });
});
