import { createHash } from 'node:crypto';
import { GLOBAL_OWNER } from '@annals/contracts';
import fc from 'fast-check';
import { parse } from 'yaml';
import { escapeEmbeds, unescapeEmbeds } from './embeds.js';
import { gitBlobId, renderVaultFile } from './render-vault-file.js';
import { VAULT_MEMORY as MEMORY } from './vault-memory.fixture.js';
import { conflictPathOf, isConflictPath, itemIdOfPath, slugOf, vaultFolderOf } from './vault-path.js';

describe('names in the vault', () => {
  it('are the id where that is a plain name, and else end with a hash of it', () => {
    expect(slugOf('thread-1.a_b')).toBe('thread-1.a_b');
    for (const id of [
      'Thread',
      '..',
      '.',
      '',
      '_manual',
      '.git',
      'a/b',
      'a\\b',
      'con',
      'com1.md',
      'a.',
      'é',
      'é',
      'x'.repeat(65),
    ])
      expect(slugOf(id)).toMatch(/^[a-z0-9][a-z0-9._-]*~[0-9a-f]{16}$/);
  });

  it('differ for different ids, also where case and trailing dots make no difference', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', '.', '-', '_', ' ', '/', 'ß', 'é', '~') });
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a !== b);
        expect(
          slugOf(a)
            .toLowerCase()
            .replace(/[. ]+$/, ''),
        ).not.toBe(
          slugOf(b)
            .toLowerCase()
            .replace(/[. ]+$/, ''),
        );
      }),
    );
  });

  it('of users end with their random id, whatever the user is called', () => {
    const subject = '5f0c4cf4-9c5f-4f7e-9df4-0123456789ab';
    expect(vaultFolderOf('t', 'ada', subject)).toBe('t/ada~0123456789ab');
    expect(vaultFolderOf('t', GLOBAL_OWNER, subject)).toBe('t/_global~0123456789ab');
  });

  it('tell which item a file is of', () => {
    const { path } = renderVaultFile(MEMORY);
    expect(path).toBe('entries/kitchen/facts/20261130T023541.123Z__01980000-0000-7000-8000-000000000001.md');
    expect(itemIdOfPath(path)).toBe(MEMORY.id);
    for (const n of [1, 2]) {
      expect(itemIdOfPath(conflictPathOf(path, n))).toBe(MEMORY.id);
      expect(isConflictPath(conflictPathOf(path, n))).toBe(true);
    }
    expect(isConflictPath(path)).toBe(false);
    expect(itemIdOfPath('entries/kitchen/summaries/L3/final.md')).toBeNull();
  });
});

describe('the file of an item', () => {
  it('has the id that Git gives it', () => {
    const { text, blob } = renderVaultFile({ ...MEMORY, content: 'ж 🙂' });
    expect(gitBlobId('')).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    expect(gitBlobId(Buffer.from(text))).toBe(blob);
    expect(blob).toBe(
      createHash('sha1')
        .update(`blob ${Buffer.byteLength(text)}\0${text}`)
        .digest('hex'),
    );
  });

  it('is the same for the same item, and gives back every field and the content', () => {
    const words = fc.string({
      unit: fc.constantFrom(
        '---',
        '\n',
        ': ',
        '#',
        "'",
        '"',
        '!',
        '[',
        '\\',
        '<',
        'b',
        '>',
        '\t',
        'é',
        '\u0085',
        '\u2028',
        '&',
        'amp;',
        'lt;',
        '- ',
        '{',
        '%',
      ),
    });
    fc.assert(
      fc.property(words, words, (content, category) => {
        const { text } = renderVaultFile({ ...MEMORY, content, category });
        expect(renderVaultFile({ ...MEMORY, content, category }).text).toBe(text);
        const end = text.indexOf('\n---\n\n');
        expect(parse(text.slice(4, end))).toMatchObject({ id: MEMORY.id, role: 'memory', category });
        expect(unescapeEmbeds(text.slice(end + 6, -1))).toBe(content);
      }),
    );
  });

  it('shows no image and no HTML, and takes linear time for texts of backslashes', () => {
    expect(escapeEmbeds('![a](b) <img> \\<img> </p> <!-- --> <3 a<b &lt;b &amp;lt;')).toBe(
      '!\\[a](b) &lt;img> \\&lt;img> &lt;/p> &lt;!-- --> <3 a&lt;b &amp;lt;b &amp;amp;lt;',
    );
    const long = '\\'.repeat(1_000_000);
    expect(unescapeEmbeds(escapeEmbeds(`${long}<b ${long}![`))).toBe(`${long}<b ${long}![`);
  });
});
