import { ATTACK_CORPUS, MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { IMITATIONS, toInertLine } from './inert-line.js';
import { removeHidden } from './remove-hidden.js';

const LINES = ATTACK_CORPUS.filter(({ served }) => served !== undefined);

describe('toInertLine', () => {
  it.each(LINES.map(({ messages, served }) => [messages.at(-1)!.content, served!]))('serves %j as %j', (text, line) => {
    expect(toInertLine(text)).toBe(line);
  });

  // What the attacks are made of, in any order.
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...LINES.flatMap(({ messages }) => messages.at(-1)!.content.split(' '))),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\u2028', '\u200d', '\ufe0f', '[', ']', '(until', 'system:', '\u{1F468}', '<', '|'),
    ),
    { maxLength: 12 },
  );

  it('is one line without hidden characters for any text, and stays as it is', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const line = toInertLine(parts.join(' '));
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(toInertLine(line)).toBe(line);
      }),
    );
  });

  it('is the same as when every imitation is searched in every text', () => {
    fc.assert(
      fc.property(pieces, fc.constantFrom(' ', '', '  ', '\n'), (parts, blank) => {
        const text = parts.join(blank);
        let line = removeHidden(text).replace(/\s+/gu, (found) => (found.includes('\n') ? '\n' : ' '));
        for (const [, imitation] of IMITATIONS) line = line.replace(imitation, '$&\\');
        expect(toInertLine(text)).toBe(line.replace(/\s+/gu, ' ').trim());
      }),
    );
  });
});

describe('toInertLine of a long text', () => {
  it.each([
    ['a bracket before blanks', '[', ' '],
    ['brackets before line breaks', '[ ', '\n'],
    ['a bracket before a slash and blanks', '[/', '\t'],
    ['an opening note before blanks', '(', ' '],
    ['dashes and colons', '', '—:'],
    ['dashes and blanks', '', '—  :  '],
  ])('takes time in proportion to %s', (_what, opening, run) => {
    const render = (length: number) => toInertLine(opening + run.repeat(Math.ceil(length / run.length)));
    expect(measureCpuGrowth(render, 20_000)).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});

describe('removeHidden', () => {
  it('keeps tabs and the lines of a text', () => {
    expect(removeHidden('How to rest:\r\n1.\tLie down.\u20282. Sleep.\u0000')).toBe(
      'How to rest:\n1.\tLie down.\n2. Sleep.',
    );
  });

  it('is the same when it is repeated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(removeHidden(removeHidden(text))).toBe(removeHidden(text));
      }),
    );
  });
});
