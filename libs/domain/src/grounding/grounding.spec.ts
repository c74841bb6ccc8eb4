import fc from 'fast-check';
import { groundMemory, isQuotedFrom, isQuoteGrounded } from './ground-memory.js';

describe('isQuotedFrom', () => {
  it('reads the parts once for many quotes', () => {
    let reads = 0;
    const parts = Object.defineProperty(['', 'I moved to Berlin.'], 0, { get: () => ((reads += 1), 'I like tea.') });
    expect(['I like tea', 'moved to berlin', 'tea. I moved', ''].map((quote) => isQuotedFrom(quote, parts))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(reads).toBe(1);
  });
});

describe('isQuoteGrounded', () => {
  it.each([
    ['I moved to Berlin.', 'Yes! I  moved to\nBERLIN in May.'],
    ['\u201cI don\u2019t like it\u201d', "well, I don't like it"],
    ['...a 5-year plan...', 'We have a 5\u2013year plan'],
    ['caf\u00e9', 'the CAFE\u0301!'],
    ['\u4eac\u3078\u884c', '\u6771\u4eac\u3078\u884c\u304f'],
    ['I like tea', 'I like\u200b tea'],
    ['\u{1f600}', 'hi \u{1f600}!'],
    ['[redacted email]', 'Write to [redacted email].'],
  ])('finds %j in %j', (quote, text) => {
    expect(isQuoteGrounded(quote, text)).toBe(true);
  });

  it.each([
    ['', 'anything'],
    ['  "..." ', 'anything "..."'],
    ['I moved to Munich', 'I moved to Berlin'],
    ['art', 'start'],
    ['I like ... tea', 'I like green tea'],
    ['word', ''],
  ])('does not find %j in %j', (quote, text) => {
    expect(isQuoteGrounded(quote, text)).toBe(false);
  });

  it('finds every run of whole words of a text, whatever its punctuation and case', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const dress = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => `\u201c${text}\u201d`,
      (text) => `... ${text}!`,
      (text) => text.replaceAll(' ', ' \n '),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), dress, (words, a, b, wear) => {
        const start = a % words.length;
        const quote = words.slice(start, start + 1 + (b % words.length)).join(' ');
        expect(isQuoteGrounded(wear(quote), words.join(' '))).toBe(true);
      }),
    );
  });

  it('does not find a quote with a word that is not in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isQuoteGrounded('zyxwvzyxwv', text)).toBe(false);
      }),
    );
  });
});

describe('groundMemory', () => {
  const messages = new Map([
    ['u1', { role: 'user', content: 'I adopted a dog named Rex.' }],
    ['a1', { role: 'assistant', content: 'Great, Rex is a nice name!' }],
    ['s1', { role: 'system', content: 'The user likes cats.' }],
    ['t1', { role: 'tool', content: 'weather: sunny' }],
  ] as const);
  const good = { message_id: 'u1', quote: 'a dog named Rex' };
  const context = { message_id: 'a1', quote: 'Rex is a nice name' };

  it('grounds a memory by a quote of a user, with the assistant as context', () => {
    expect(groundMemory({ evidence: [good, context] }, messages)).toEqual({
      grounded: true,
      evidence: [good, context],
    });
  });

  it.each([
    ['no_evidence', []],
    ['empty_quote', [{ message_id: 'u1', quote: ' ' }]],
    ['unknown_message', [{ message_id: 'u9', quote: 'a dog' }]],
    ['quote_not_found', [{ message_id: 'u1', quote: 'a cat' }]],
    ['role_not_allowed', [{ message_id: 's1', quote: 'likes cats' }]],
    ['role_not_allowed', [{ message_id: 't1', quote: 'sunny' }]],
    ['role_not_allowed', [context]],
  ])('does not ground a memory for %s', (reason, evidence) => {
    expect(groundMemory({ evidence }, messages)).toMatchObject({ grounded: false, reason });
  });

  it('does not ground a memory with one false quote beside a valid one', () => {
    const evidence = [good, { message_id: 'u1', quote: 'a cat' }];
    expect(groundMemory({ evidence }, messages)).toEqual({
      grounded: false,
      reason: 'quote_not_found',
      evidence: [good],
    });
  });

  it('ignores quotes of tools and system, and empty quotes, beside a valid one', () => {
    const evidence = [{ message_id: 's1', quote: 'likes cats' }, { message_id: 'u1', quote: '' }, good];
    expect(groundMemory({ evidence }, messages)).toEqual({ grounded: true, evidence: [good] });
  });

  it('grounds a memory by the assistant when that is allowed', () => {
    expect(groundMemory({ evidence: [context] }, messages, { allowAssistant: true }).grounded).toBe(true);
  });
});
