import { checkInsight, checkInsights, type InsightFault } from './check-insight.js';
import type { DraftedInsight, ShownEvidence } from './types.js';

const MAY = Date.UTC(2026, 4, 4, 12);
const DAY = 24 * 60 * 60 * 1_000;
const show = (label: string, content: string, day = 0): ShownEvidence => ({
  label,
  kind: label.startsWith('k') ? 'memory' : 'message',
  id: `id of ${label}`,
  content,
  saidAt: MAY + day * DAY,
  messageId: label.startsWith('k') ? null : `id of ${label}`,
});
const SHOWN = [
  show('m1', 'The deadline for Phoenix moved to 9 June. I do not like surprises.'),
  show('m2', 'Another deadline! Please keep it short.', 2),
  show('m3', 'You were right about the 3 servers, thanks for admitting the mistake.', 7),
  show('k1', 'Ana works at Siemens.'),
  show('m4', 'My exam is on 12 June.'),
];
const BASIS = { shown: SHOWN, names: ['Ana', 'Ana de la Cruz'] };
const draft = (summary: string, over: Partial<DraftedInsight> = {}): DraftedInsight => ({
  summary,
  tags: ['trust'],
  confidence: 0.7,
  evidence: ['m1', 'm2', 'm3', ...(summary.includes('exam') ? ['m4'] : [])],
  ...over,
});
const faultsOf = (drafted: DraftedInsight) => {
  const checked = checkInsight(drafted, BASIS);
  return checked.outcome === 'refused' ? checked.faults : [checked.outcome];
};

describe('checkInsight', () => {
  it('keeps an insight with the evidence that was shown', () => {
    expect(
      checkInsight(
        draft('User shows increased trust when the assistant admits mistakes.', { evidence: ['m3', 'm9'] }),
        BASIS,
      ),
    ).toEqual({
      outcome: 'kept',
      insight: {
        summary: 'User shows increased trust when the assistant admits mistakes.',
        tags: ['trust'],
        importance: 2,
        confidence: 0.7,
        evidence: [SHOWN[2]],
        inferred: null,
      },
    });
  });

  it.each([
    'The user dislikes surprises close to a deadline.',
    'Ana is under pressure from deadlines.',
    'Mentions deadlines again and again, on 3 days in May 2026.',
    'Asked about deadlines on 4 May 2026 and on 6 May 2026.',
    'Prefers short answers.',
    'Ana does not like surprises.',
    'Often worries about Phoenix.',
    'Ana de la Cruz prefers short answers.',
    'Is nervous about an exam on 12 June 2026.',
    'The user checks a plan and corrects it.',
  ])('keeps: %s', (summary) => {
    expect(faultsOf(draft(summary))).toEqual(['kept']);
  });

  it.each<[string, InsightFault]>([
    ['', 'empty'],
    [`The user likes ${'very '.repeat(60)}short answers.`, 'too_long'],
    ['I prefer short answers.', 'not_third_person'],
    ['The user trusts me more.', 'not_third_person'],
    ['You like short answers.', 'not_third_person'],
    ['The user gives her opinion early.', 'pronoun_for_user'],
    ['Also dislikes deadlines.', 'not_self_contained'],
    ['Ana ist sehr zufrieden mit der Antwort.', 'not_english'],
    ['Ana está muy contenta con la respuesta.', 'not_english'],
    ['Ana 对简短的回答很满意。', 'not_english'],
    ['The user trusts the assistant when it admits mistakes.', 'pronoun_for_assistant'],
    ['The user relies on it more and more.', 'pronoun_for_assistant'],
    ['Ana forgives the bot for its mistakes.', 'pronoun_for_assistant'],
    ['Deadlines are moved too often.', 'not_about_person'],
    ['Siemens is a difficult employer.', 'not_about_person'],
    ['The user mentions 4 servers.', 'invented'],
    ['The user is worried about Atlas.', 'invented'],
    ['Mentions deadlines again and again, on 5 days in May 2026.', 'invented'],
    ['Mentions deadlines again and again, on 3 days in June 2026.', 'invented'],
    ['The user does not trust servers.', 'invented'],
    ['The user likes surprises.', 'reversed'],
  ])('refuses “%s”: %s', (summary, fault) => {
    expect(faultsOf(draft(summary))).toContain(fault);
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses a confidence of %d', (confidence) => {
    expect(faultsOf(draft('Prefers short answers.', { confidence }))).toEqual(['confidence']);
  });

  it.each([
    ['Seems to suffer from depression since the winter.', 'Is sick of status meetings.'],
    ['Is a devout Catholic.', 'Follows the checklist religiously.'],
    ['Is a member of the Labour Party.', 'Is confident about the vote on the logo.'],
    ['Is attracted to men.', 'Wants straight answers.'],
    ['Is of Nigerian descent.', 'Is annoyed by race conditions in the queue.'],
  ])('refuses “%s”, and keeps “%s”', (revealing, harmless) => {
    const check = (summary: string) => {
      const checked = checkInsight(draft(summary, { evidence: ['m1'] }), { ...BASIS, shown: [show('m1', summary)] });
      return checked.outcome === 'refused' ? checked.faults : [checked.outcome];
    };
    expect([check(revealing), check(harmless)]).toEqual([['sensitive'], ['kept']]);
  });

  it('refuses a sensitive subject in a tag or a value', () => {
    expect(faultsOf(draft('Prefers short answers.', { tags: ['depression'] }))).toEqual(['sensitive']);
    const value = 'be a better Catholic';
    expect(faultsOf(draft('Plans ahead.', { field: 'goals_add', value }))).toEqual(['sensitive']);
  });

  it('quarantines what names nothing that was shown', () => {
    const checked = checkInsight(draft('The user prefers short answers.', { evidence: ['m9', 'c1', ''] }), BASIS);
    expect(checked).toMatchObject({ outcome: 'quarantined', insight: { evidence: [], inferred: null } });
  });

  it('keeps up to five tags in one form', () => {
    const tags = ['Trust', 'trust ', 'work life', '#x', 'x'.repeat(31), 'a', 'b', 'c', 'd'];
    expect(checkInsight(draft('Prefers short answers.', { tags }), BASIS)).toMatchObject({
      insight: { tags: ['trust', 'work life', 'a', 'b', 'c'] },
    });
  });
});

describe('checkInsights', () => {
  it('keeps three, and what is said twice once', () => {
    const summaries = [
      'Prefers short answers.',
      'Prefers very short answers.',
      'Plans ahead.',
      'Dislikes surprises.',
      'Asks often.',
    ];
    const checked = checkInsights(
      summaries.map((summary) => draft(summary)),
      BASIS,
    );
    expect(checked.map((one) => (one.outcome === 'refused' ? one.faults.join() : one.outcome))).toEqual([
      'kept',
      'repeated',
      'kept',
      'kept',
      'too_many',
    ]);
  });
});
