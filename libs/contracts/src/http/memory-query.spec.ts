import { memoryQuerySchema } from './memory-query.js';

describe('a body of memory.query', () => {
  it('may be the one that SYS §6 shows, where a day is its first moment in UTC', () => {
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
    'refuses the bound %s',
    (bound) => {
      expect(memoryQuerySchema.safeParse({ filters: { user_id: 'ada', updated_after: bound } }).success).toBe(false);
    },
  );
});
