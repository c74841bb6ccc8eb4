import { hasConflictMarkers, parseVaultFile } from './parse-vault-file.js';

describe('a file of the vault that somebody wrote', () => {
  it.each([
    ['nothing but a text', 'The user sings.\n', {}, 'The user sings.'],
    ['a front matter', '---\nimportance: 4\n---\n\nThe user sings.\n', { importance: 4 }, 'The user sings.'],
    ['a front matter and nothing below', '---\nimportance: 4\n---', { importance: 4 }, ''],
    ['an empty front matter', '---\n---\nThe user sings.', {}, 'The user sings.'],
    [
      'line ends of Windows and a byte order mark',
      '\uFEFF---\r\nid: a\r\n---\r\n\r\nOne.\r\nTwo.\r\n',
      { id: 'a' },
      'One.\nTwo.',
    ],
    ['a rule in its text', '---\nid: a\n---\nOne.\n\n---\n\nTwo.', { id: 'a' }, 'One.\n\n---\n\nTwo.'],
    ['escaped HTML and images', '&lt;b> and !\\[x](y)', {}, '<b> and ![x](y)'],
  ])('is read with %s', (_what, text, fields, content) => {
    expect(parseVaultFile(text)).toEqual({ fields, hasComments: false, content });
  });

  it.each([
    ['is not closed', '---\nid: a\nThe user sings.'],
    ['is no YAML', '---\nid: [a\n---\nThe user sings.'],
    ['is a list', '---\n- a\n---\nThe user sings.'],
    ['has a key twice', '---\nid: a\nid: b\n---\nThe user sings.'],
    ['refers to itself', `---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\nThe user sings.`],
    ['is nested without end', `---\na: ${'['.repeat(20_000)}\n---\nThe user sings.`],
  ])('cannot be read when its front matter %s', (_what, text) => {
    expect(parseVaultFile(text)).toBeNull();
  });

  it('has no way to the prototype of objects', () => {
    const parsed = parseVaultFile('---\n__proto__: {polluted: true}\n---\nx');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(parsed?.fields['polluted']).toBeUndefined();
  });

  it.each([
    ['<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> theirs', true],
    ['One.\r\n=======\r\nTwo.', true],
    ['A heading\n==========\n', false],
    ['a <<<<<<< b', false],
  ])('has the marks of a merge: %j', (text, expected) => {
    expect(hasConflictMarkers(text)).toBe(expected);
  });
});
