import { memoryQuerySchema } from '@annals/contracts';
import { planQuery } from './plan-query.js';

describe('planQuery', () => {
  const plan = (request: object) =>
    planQuery({
      tenantId: 't',
      userId: 'ada',
      body: memoryQuerySchema.parse({ query: 'tea', filters: { user_id: 'ada' }, ...request }),
      query: 'tea',
      view: { categories: null, exceptCategories: [] },
      boundAgentId: null,
      summaryAgentId: null,
      model: 'm',
      now: 0,
    });

  it.each([
    [undefined, 30],
    [1, 30],
    [10, 30],
    [11, 33],
    [20, 60],
    [50, 150],
    [100, 300],
  ])('searches for three candidates of each sort per result, and at least 30: top_k %s, %i', (topK, limit) => {
    expect(plan({ top_k: topK }).scope.limit).toBe(limit);
  });
});
