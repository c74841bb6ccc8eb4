import { listMemoriesQuerySchema } from './memories.js';
import { memoryQuerySchema } from './memory-query.js';

describe('memoryQuerySchema', () => {
  it('accepts every documented field, and reads a day as its first moment in UTC', () => {
    const { filters } = memoryQuerySchema.parse({
      agent: 'planner',
      query: 'deployment plan context',
      categories: ['tasks', 'projects'],
      filters: {
        user_id: 'ada',
        agent_id: 'planner',
        run_id: 'run',
        actor_id: 'bob',
        role: 'assistant',
        pinned: false,
        importance_min: 1,
        importance_max: 5,
        updated_after: '2025-07-01',
        updated_before: null,
      },
      top_k: 3,
      return: 'bullets',
      budget_tokens: 512,
    });
    expect(filters).toMatchObject({ updated_after: '2025-07-01T00:00:00.000Z', updated_before: null });
  });

  it.each(['2025-02-30', '2025-7-1', '1800-01-01', 'yesterday', '2025-07-01T00:00:00'])(
    'rejects the bound %s',
    (bound) => {
      expect(memoryQuerySchema.safeParse({ filters: { user_id: 'ada', updated_after: bound } }).success).toBe(false);
    },
  );

  const issuesOf = (filters: object) =>
    memoryQuerySchema
      .safeParse({ filters: { user_id: 'ada', ...filters } })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('rejects an importance_min above importance_max', () => {
    expect(issuesOf({ importance_min: 4, importance_max: 3 })).toEqual([
      ['filters.importance_max', expect.stringContaining('Give at least `importance_min`')],
    ]);
    expect(issuesOf({ importance_min: 3, importance_max: 3 })).toBeUndefined();
  });

  it.each<[string, string | null, boolean]>([
    ['2025-07-02', '2025-07-01', false],
    ['2025-07-01', '2025-07-01', false],
    ['2025-07-01', '2025-07-01T00:00:00.000Z', false],
    ['2025-07-01T01:00:00+02:00', '2025-06-30T23:30:00Z', true],
    ['2025-07-01', '2025-07-02', true],
    ['2025-07-01', null, true],
  ])(
    'accepts updated_after %s with updated_before %s (%s), or names the field to change',
    (after, before, isPossible) => {
      const refusal = ['updated_before', expect.stringContaining('Give a time later than `updated_after`')];
      const bounds = { updated_after: after, updated_before: before };
      expect(issuesOf(bounds)).toEqual(isPossible ? undefined : [[`filters.${refusal[0]}`, refusal[1]]]);
      if (before === null) return;
      const listed = listMemoriesQuerySchema.safeParse(bounds);
      expect(listed.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual(
        isPossible ? undefined : [refusal],
      );
    },
  );
});
