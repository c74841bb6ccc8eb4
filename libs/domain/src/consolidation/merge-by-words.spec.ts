import type { MemoryType } from '@annals/contracts';
import { LATE_LOOK_ALIKES, LATE_SAME } from './late-pairs.fixture.js';
import { LATER_LOOK_ALIKES, LATER_SAME } from './later-pairs.fixture.js';
import { mergeByWords } from './merge-by-words.js';

const merge = (a: string, b: string, type: MemoryType = 'semantic') =>
  mergeByWords({ content: a, type: 'semantic' }, { content: b, type });
const mergeLine = (line: string) => merge(...(line.split(' | ') as [string, string]));

describe('mergeByWords', () => {
  it.each([
    ['The user plays chess.', 'The user plays chess on Tuesdays.'],
    ['The user owns two chairs.', 'The user owns 2 chairs in Porto.'],
    ['On Saturdays the user bakes.', 'The user bakes every Saturday.'],
    ["The user doesn't take calls after 6pm.", 'The user does not take calls after 18:00.'],
    ['The user has no debts.', 'The user does not have any debts.'],
  ])('returns the statement that says all of “%s” and “%s”, in any order', (short, long) => {
    const text = short.length >= long.length ? short : long;
    expect(merge(short, long)).toBe(text);
    expect(merge(long, short)).toBe(text);
  });

  it.each([
    ['The user plays chess.', 'The user played chess on Tuesdays.'],
    ['The user eats meat.', 'The user eats meat only on Sundays.'],
    ['The user lives in York.', 'The user lives in New York.'],
    ['The user has a dog.', 'The user has a dog with Ana and a cat with Ben.'],
    ['The user has a dog.', 'The user has a toy dog.'],
    ['The user has a dog.', 'The user has no dog.'],
    ['The user has two dogs.', 'The user has a dog.'],
  ])('does not merge “%s” and “%s”', (a, b) => {
    expect(merge(a, b)).toBeNull();
  });

  it('does not merge memories of two types, nor procedures', () => {
    expect(merge('The user ran.', 'The user ran.', 'episodic')).toBeNull();
    const procedure = { content: 'How to rest:\n1. Lie down.', type: 'procedural' } as const;
    expect(mergeByWords(procedure, procedure)).toBeNull();
  });

  it('is not misled by statements that seem to contain another one', () => {
    expect([...LATE_LOOK_ALIKES, ...LATER_LOOK_ALIKES].filter((line) => mergeLine(line) !== null)).toEqual([]);
    expect([...LATE_SAME, ...LATER_SAME].filter((line) => mergeLine(line) === null)).toEqual([]);
  });
});
