import { checkCompaction, needsCompaction, planCompaction } from '@annals/domain';
import { type AppMemory, runAtOnce } from '@annals/llm-core';
import { compactLocally, says } from './compact-app-memories.js';
import { CONTAINED_PAIRS } from './contained-pairs.fixture.js';
import { ENDED_CONVERSATIONS } from './conversations.fixture.js';
import { UNSEEN_CONVERSATIONS } from './conversations-unseen.fixture.js';
import { createLocalAppMemory } from './create-app-memory.js';

const DAY = 24 * 60 * 60 * 1_000;
const memory = (id: string, content: string, day: number): AppMemory => ({
  id,
  content,
  createdAt: day * DAY,
  updatedAt: day * DAY,
});
const LONG = 'Lena books the night train to Vienna on 14 July at 9pm. The ticket costs 49 euros.';
const ten = (...contents: string[]) =>
  Array.from({ length: 10 }, (_each, at) => memory(`a${at}`, contents[at] ?? LONG.replace('49', `${50 + at}`), at));

describe('says', () => {
  it.each(CONTAINED_PAIRS)('of “%s” and “%s”: %s', (one, other, isContained) => {
    expect(says(other, one)).toBe(isContained);
  });
});

describe('compactLocally', () => {
  it('merges the new memory into one that says it, and one into the new memory that says it', () => {
    const short = 'The user prefers window seats.';
    const long = 'The user prefers window seats on trains.';
    const fresh = (content: string) => memory('new', content, 20);
    expect(compactLocally({ current: ten(LONG, long), fresh: fresh(short) })).toMatchObject({
      action: 'edit',
      targetId: 'a1',
      newContent: long,
    });
    expect(compactLocally({ current: ten(LONG, short), fresh: fresh(long) })).toMatchObject({
      action: 'edit',
      targetId: 'a1',
      newContent: long,
    });
  });

  it('deletes what another one says before anything that only one says', () => {
    const current = ten('The user rests.', LONG, `${LONG} Lena pays.`);
    expect(compactLocally({ current, fresh: memory('new', 'The user naps.', 20) })).toMatchObject({
      action: 'delete',
      targetId: 'a1',
    });
  });

  it('deletes the memory of least value, the oldest of equal ones', () => {
    const current = ten(
      LONG,
      LONG.replace('49', '60'),
      'The user rests. The user naps.',
      'The user naps. The user reads.',
    );
    expect(compactLocally({ current, fresh: memory('new', LONG.replace('49', '99'), 20) })).toMatchObject({
      action: 'delete',
      targetId: 'a2',
    });
    expect(compactLocally({ current: ten(), fresh: memory('new', 'The user naps.', 20) })).toMatchObject({
      action: 'delete',
      targetId: 'new',
    });
  });

  it('keeps ten of all conversations, with decisions that pass every check', () => {
    let kept: AppMemory[] = [];
    let made = 0;
    for (const [at, { said }] of [...ENDED_CONVERSATIONS, ...UNSEEN_CONVERSATIONS].entries()) {
      const messages = said.map((line, index) => ({
        id: `s${index}`,
        role: line.startsWith('assistant: ') ? ('assistant' as const) : ('user' as const),
        actorId: null,
        content: line.replace(/^assistant: /u, ''),
        createdAt: at * DAY + index,
      }));
      const created = runAtOnce(createLocalAppMemory(messages, { id: 'ana', names: [] }));
      if (!created) continue;
      made += 1;
      const fresh = memory(`c${at}`, created.content, at);
      const input = { current: kept, fresh };
      kept = [...kept, fresh];
      if (!needsCompaction(kept)) continue;
      const decision = compactLocally(input);
      expect(checkCompaction(decision, input)).toBeNull();
      const { removedIds, edited } = planCompaction(decision, input);
      kept = kept
        .filter(({ id }) => !removedIds.includes(id))
        .map((each) => (each.id === edited?.id ? { ...each, content: edited.content } : each));
      expect(kept).toHaveLength(10);
    }
    expect(made).toBeGreaterThan(25);
  });
});
