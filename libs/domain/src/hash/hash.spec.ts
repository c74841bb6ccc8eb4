import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import {
  HASH_VERSION,
  hashContent,
  NodeCryptoHashStrategy,
  normalizeContent,
  selectHashStrategy,
  WebCryptoHashStrategy,
} from './content-hash.js';
import { EQUAL_TEXT_GROUPS } from './corpus.fixture.js';

const node = new NodeCryptoHashStrategy();
const web = new WebCryptoHashStrategy();
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...Array.from('aB .!?,;:\u200b\u0301\u00ad\u0130\u03a3\ufb01\u00a0\n\u0000e\u1100\u1161')),
  }),
);

// The three documented reasons for which a second pass may change the text.
function isDocumentedException(content: string): boolean {
  const lowered = content.normalize('NFKC').toLowerCase();
  const visible = lowered.replace(/[\p{Cf}\p{Cc}]/gu, '');
  return lowered !== visible || lowered !== lowered.normalize('NFKC') || /[.!?,;:]\s+[.!?,;:]+$/u.test(visible.trim());
}

describe('normalizeContent', () => {
  it('has a pinned version', () => {
    expect(HASH_VERSION).toBe('v1.3.0');
  });

  it.each([
    ['Hello, world!', 'hello, world'],
    ['  A\t\nB  ', 'a b'],
    ['\uff21\uff22\uff23', 'abc'],
    ['a\u200db\u0007c', 'abc'],
    ['What?! No...', 'what?! no'],
    ['3.14', '3.14'],
  ])('normalises %j to %j', (content, normal) => {
    expect(normalizeContent(content)).toBe(normal);
  });

  it.each([
    ['a space uncovered by a format character', 'a \u200b b', 'a  b', 'a b'],
    ['a mark joined to its letter', 'e\u200b\u0301', 'e\u0301', '\u00e9'],
    ['an earlier punctuation run', 'a! .', 'a!', 'a'],
    ['a lower-cased sequence that composes', 'J\u030c', 'j\u030c', '\u01f0'],
  ])('changes again on a second pass: %s', (_reason, content, once, twice) => {
    expect(normalizeContent(content)).toBe(once);
    expect(normalizeContent(once)).toBe(twice);
  });

  it('is stable outside the documented exceptions', () => {
    fc.assert(
      fc.property(text, (content) => {
        fc.pre(!isDocumentedException(content));
        const once = normalizeContent(content);
        expect(normalizeContent(once)).toBe(once);
      }),
      { numRuns: 5000 },
    );
  });

  it('never gains white space, format characters or trailing punctuation at its ends', () => {
    fc.assert(
      fc.property(text, (content) => {
        const normal = normalizeContent(content);
        expect(normal).toBe(normal.trim());
        expect(normal).not.toMatch(/[\p{Cf}\p{Cc}]/u);
      }),
    );
  });

  it('takes linear time on long runs of punctuation', () => {
    const normalize = (length: number) => normalizeContent(`${'!'.repeat(length)}a`);
    expect(measureCpuGrowth(normalize, 100_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe('hash strategies', () => {
  it('give each group of the corpus one hash, and agree on it', async () => {
    const hashes = new Set<string>();
    for (const group of EQUAL_TEXT_GROUPS) {
      const ofGroup = new Set<string>();
      for (const content of group) {
        expect(node.normalize(content)).toBe(web.normalize(content));
        ofGroup.add(await node.hash(node.normalize(content)));
        ofGroup.add(await web.hash(web.normalize(content)));
        ofGroup.add(hashContent(content));
      }
      expect([group[0], ofGroup.size]).toEqual([group[0], 1]);
      for (const hash of ofGroup) hashes.add(hash);
    }
    expect(hashes.size).toBe(EQUAL_TEXT_GROUPS.length);
  });

  it('agree on every text, lone surrogates included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        async (content) => {
          expect(await node.hash(content)).toBe(await web.hash(content));
        },
      ),
    );
  });

  it('give the known SHA-256 of "abc"', async () => {
    expect(await web.hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashContent('ABC.')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('give different hashes for different inner punctuation', () => {
    expect(hashContent('Hello, world!')).not.toBe(hashContent('hello world'));
  });
});

describe('selectHashStrategy', () => {
  it('selects WebCrypto when it is preferred and available', () => {
    expect(selectHashStrategy({ preferWebCrypto: true })).toBeInstanceOf(WebCryptoHashStrategy);
  });

  it('falls back to Node without WebCrypto', () => {
    expect(selectHashStrategy({ preferWebCrypto: true, webCrypto: null })).toBeInstanceOf(NodeCryptoHashStrategy);
  });

  it('selects Node when WebCrypto is not preferred', () => {
    expect(selectHashStrategy({ preferWebCrypto: false })).toBeInstanceOf(NodeCryptoHashStrategy);
  });
});
