import { attachStates } from './attach-states.js';
import { newMemory } from './lifecycle.fixture.js';
import { planWrites } from './plan-writes.js';

describe('the states in the history of a plan', () => {
  it('are on the last row of each memory that is written, as the plan leaves it', () => {
    let ids = 0;
    const context = { now: 20, nextId: () => `id ${(ids += 1)}` };
    const statements = ['Ada likes tea.', 'Ada likes coffee.'];
    const plan = planWrites(
      [],
      statements.map((content) => ({ kind: 'observe' as const, memory: newMemory(content) })),
      [{ from: 0, to: 1, relationType: 'related_to', strength: 0.5 }],
      context,
    );
    const rows = attachStates(plan);
    expect(rows.map(({ event, memoryId, memory }) => [event, memoryId, memory?.content])).toEqual([
      ['ADD', 'id 1', undefined],
      ['ADD', 'id 2', 'Ada likes coffee.'],
      ['LINK', 'id 1', 'Ada likes tea.'],
    ]);
    expect(rows.map(({ memory: _memory, ...row }) => row)).toEqual(plan.history);
    const changed = planWrites(
      plan.inserts,
      [
        { kind: 'edit', memoryId: 'id 1', patch: { pinned: true } },
        { kind: 'edit', memoryId: 'id 1', patch: { importance: 5 } },
      ],
      [],
      context,
    );
    expect(attachStates(changed).map(({ memory }) => memory && [memory.pinned, memory.importance])).toEqual([
      undefined,
      [true, 5],
    ]);
  });
});
