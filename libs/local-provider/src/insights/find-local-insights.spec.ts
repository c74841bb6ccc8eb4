import { checkInsight } from '@annals/domain';
import { type ConversationMessage, loadMoodScorer, type MoodScorer, runAtOnce } from '@annals/llm-core';
import { findLocalInsights } from './find-local-insights.js';
import { INSIGHT_HISTORIES, type InsightHistory } from './histories.fixture.js';
import { MISLEADING_HISTORIES } from './misleading-histories.fixture.js';
import { UNSEEN_HISTORIES } from './histories-unseen.fixture.js';

const USER = { id: 'ana', names: ['Ana'] };
const HISTORIES: readonly InsightHistory[] = [...INSIGHT_HISTORIES, ...UNSEEN_HISTORIES, ...MISLEADING_HISTORIES];

let scoreMood: MoodScorer;
beforeAll(async () => {
  scoreMood = await loadMoodScorer();
});

function toMessages({ said }: Pick<InsightHistory, 'said'>): ConversationMessage[] {
  return said.map((line, at) => {
    const [, day, speaker = 'user', content] = /^(\S+) (?:(assistant|Bob): )?([^]*)$/u.exec(line)!;
    return {
      id: `s${at}`,
      role: speaker === 'assistant' ? 'assistant' : 'user',
      actorId: speaker === 'Bob' ? 'Bob' : null,
      content: content!,
      createdAt: Date.parse(`${day}T12:00:00Z`) + at,
    };
  });
}

const find = (messages: readonly ConversationMessage[]) =>
  runAtOnce(findLocalInsights(messages, { user: USER, scoreMood }));

describe('findLocalInsights', () => {
  it.each(HISTORIES)('$domain: $name', (history) => {
    const summaries = find(toMessages(history)).map(({ summary }) => summary);
    const moods = summaries.filter((summary) => summary.startsWith('Sounds'));
    const recurring = summaries.filter((summary) => summary.startsWith('Mentions'));
    const expectedMood = { lower: ['worse'], higher: ['better'], null: [] }[`${history.mood}`];
    expect(moods.map((summary) => /better|worse/u.exec(summary)?.[0])).toEqual(expectedMood);
    expect(recurring.toSorted()).toEqual(
      history.recurs.toSorted().map((thing): string => expect.stringContaining(`Mentions ${thing}`) as string),
    );
  });

  it('words what passes every check, with messages of the person as evidence', () => {
    const checked = HISTORIES.flatMap((history) => {
      const messages = toMessages(history);
      const shown = messages
        .filter(({ role, actorId }) => role === 'user' && actorId === null)
        .map(({ id, content, createdAt }) => {
          return { label: id, kind: 'message' as const, id, content, saidAt: createdAt, messageId: id };
        });
      return find(messages).map(({ messageIds, ...insight }) => {
        const { outcome, ...rest } = checkInsight({ ...insight, evidence: messageIds }, { shown, names: USER.names });
        return { summary: insight.summary, outcome, ...('faults' in rest ? rest : {}) };
      });
    });
    expect(checked.length).toBeGreaterThan(25);
    expect(checked.filter(({ outcome }) => outcome !== 'kept')).toEqual([]);
  });

  it('is the same for the same messages in any order', () => {
    for (const history of HISTORIES) {
      const messages = toMessages(history);
      expect(find(messages.toReversed())).toEqual(find(messages));
    }
  });

  it('says how it sounds when most of the messages sound alike', () => {
    const shifts = INSIGHT_HISTORIES.find(({ name }) => name === 'on-call shifts that spoil the mood')!;
    expect(find(toMessages(shifts))).toEqual([
      {
        summary: 'Mentions night shift again and again, on 3 days in May 2026, mostly in a bad mood.',
        tags: ['shift', 'recurring'],
        confidence: 0.7,
        messageIds: ['s0', 's1', 's2'],
      },
    ]);
  });

  it('keeps three, the most frequent first', () => {
    const things = ['cello', 'telescope', 'suitcase', 'fence', 'sourdough'];
    const said = things.flatMap((thing, at) =>
      Array.from({ length: 3 + at }, (_each, day) => `2026-04-${10 + day} I saw the ${thing} number ${at}.`),
    );
    expect(find(toMessages({ said })).map(({ summary }) => summary.split(' ')[1])).toEqual([
      'sourdough',
      'fence',
      'suitcase',
    ]);
  });

  it('yields between messages', () => {
    const messages = toMessages(INSIGHT_HISTORIES[0]!);
    const slices = [...findLocalInsights(messages, { user: USER, scoreMood })].length;
    expect(slices).toBeGreaterThanOrEqual(messages.length);
  });
});
