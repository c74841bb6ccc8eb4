import type { WritingRule } from '@annals/contracts';
import fc from 'fast-check';
import { checkWriting, type CheckedStatement } from './check-writing.js';
import { trimWriting } from './trim-writing.js';

const semantic = (content: string): CheckedStatement => ({ content, type: 'semantic' });
const episodic = (content: string): CheckedStatement => ({ content, type: 'episodic' });

describe('checkWriting', () => {
  it.each([
    "Ana lives in Lisbon with Ana's cat Miso.",
    "Ana's sister Mia is a nurse. She works in Porto.",
    'The user has two kids who love dinosaurs; they are five and seven.',
    'The user is allergic to peanuts.',
    "Dr. Weber is Ana's doctor, and Mr. J. Smith is Ana's teacher.",
    'Ana works from 9 a.m. to 5 p.m. at St. Mary. Ana commutes by train.',
    'Ana wants answers that begin with “I think” when the assistant is unsure.',
    'Ana moved to the US and drives on I-95.',
    'Ana taught herself guitar.',
    'Ana spielt Gitarre und lebt in Köln.',
    'Ana habite à Lyon avec deux chats.',
    '安娜住在北京。她喜欢茶。',
    'Ana lives near the Mine Street station.',
  ])('finds no violation in %j', (content) => {
    expect(checkWriting(semantic(content))).toEqual([]);
  });

  it.each<[WritingRule, string]>([
    ['empty', ''],
    ['empty', ' ?! \u200b'],
    ['too_long', `Ana likes ${'very '.repeat(60)}long walks.`],
    ['too_many_sentences', 'Ana likes tea. Ana likes cake. Ana likes rain.'],
    ['not_third_person', 'I live in Lisbon.'],
    ['not_third_person', "Ana told me that Ana's sister called."],
    ['not_third_person', "You can call Ana's brother Jo."],
    ['not_third_person', 'Ana and we live in Bonn.'],
    ['not_third_person', 'Ich wohne in Köln.'],
    ['pronoun_for_user', 'Ana lives in Porto. She likes tea.'.replace('Porto', 'a village')],
    ['pronoun_for_user', 'The user sold their bike.'],
    ['pronoun_for_user', 'Ana said she likes tea.'],
    ['not_self_contained', 'It was a great trip to Rome.'],
    ['not_self_contained', 'They moved to Rome.'],
    ['not_self_contained', 'Ana has a dentist appointment tomorrow.'],
    ['not_self_contained', 'Ana started a new job 3 weeks ago.'],
  ])('reports %s: %s', (rule, content) => {
    expect(checkWriting(semantic(content))).toContain(rule);
  });

  it('requires the past tense of episodic memories in English', () => {
    expect(checkWriting(episodic('Ana goes to the theatre.'))).toEqual(['not_past_tense']);
    expect(checkWriting(episodic('Ana went to the theatre.'))).toEqual([]);
    expect(checkWriting(episodic('Ana celebrated a birthday.'))).toEqual([]);
    expect(checkWriting(episodic('Ana fährt nach Rom.'))).toEqual([]);
    expect(checkWriting(semantic('Ana goes to the theatre.'))).toEqual([]);
  });

  it('counts characters, not code units', () => {
    const content = `Ana sends ${'😀'.repeat(269)}.`;
    expect(checkWriting(semantic(content))).toEqual([]);
    expect(checkWriting(semantic(`${content}.`))).toEqual(['too_long']);
  });
});

describe('trimWriting', () => {
  it('retains the first sentences that fit', () => {
    expect(trimWriting(semantic('Ana likes tea. Ana likes cake. Ana likes rain.'))).toBe(
      'Ana likes tea. Ana likes cake.',
    );
  });

  it('cuts a long sentence at the end of a clause', () => {
    const head = `Ana plans to walk from Lisbon to Porto along the coast with two friends from school`;
    expect(trimWriting(semantic(`${head}, ${'and '.repeat(80)}then to rest.`))).toBe(`${head}.`);
  });

  it('returns null when another rule is violated, or when no safe cut exists', () => {
    expect(trimWriting(semantic('I like tea. I like cake. I like rain.'))).toBeNull();
    expect(trimWriting(semantic(`Ana likes ${'very '.repeat(60)}long walks.`))).toBeNull();
  });

  it('only returns valid statements, and does not change those', () => {
    const words = fc.constantFrom('Ana', 'likes', 'tea,', 'cake.', 'I', 'and', 'she', 'walked', 'home.', 'for', 'long');
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 90 }), fc.constantFrom(semantic, episodic), (list, of) => {
        const statement = of(list.join(' '));
        const trimmed = trimWriting(statement);
        if (trimmed !== null) expect(checkWriting({ ...statement, content: trimmed })).toEqual([]);
        if (checkWriting(statement).length === 0) expect(trimmed).toBe(statement.content);
      }),
    );
  });
});
