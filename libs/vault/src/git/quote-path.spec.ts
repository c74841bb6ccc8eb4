import fc from 'fast-check';
import { TEST_SEED } from '@annals/testing';
import { quotePath, unquotePath } from './quote-path.js';

describe('quoted paths', () => {
  it(`come back as they were (seed ${TEST_SEED})`, () => {
    const characters = fc.integer({ min: 1, max: 0xd7ff }).map((code) => String.fromCodePoint(code));
    const paths = fc
      .array(fc.oneof(characters, fc.constantFrom('"', '\\', '\n', '\t', ' ')))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(paths, (path) => unquotePath(Buffer.from(quotePath(path))).toString('utf8') === path),
      { seed: TEST_SEED },
    );
  });

  it('are one line, whatever is in them', () => {
    expect(quotePath('a\nM 100644 inline "x"\\')).toBe('"a\\nM 100644 inline \\"x\\"\\\\"');
  });

  it('are read as Git writes them, octal numbers included', () => {
    expect(unquotePath(Buffer.from('plain name')).toString()).toBe('plain name');
    expect(unquotePath(Buffer.from('"Zo\\303\\253 \\a\\b\\t\\n\\v\\f\\r\\"\\\\"')).toString()).toBe(
      'Zoë \x07\b\t\n\v\f\r"\\',
    );
  });
});
