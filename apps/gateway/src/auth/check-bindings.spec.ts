import { catchProblem } from '../testing/catch-problem.contract.js';
import { bindAgent, bindUser } from './check-bindings.js';

const bound = { userId: 'ann', agentId: 'stylist', categories: null };
const unbound = { userId: null, agentId: null, categories: null };

describe('bindUser and bindAgent', () => {
  it('take what a free key names, and what a bound one stands for', () => {
    expect([bindUser(unbound, 'bob', 'body.user_id'), bindUser(unbound, undefined, 'query.user_id')]).toEqual([
      'bob',
      undefined,
    ]);
    expect([bindUser(bound, 'ann', 'body.user_id'), bindUser(bound, undefined, 'query.user_id')]).toEqual([
      'ann',
      'ann',
    ]);
    expect([bindAgent(unbound, 'cook'), bindAgent(bound, undefined), bindAgent(bound, 'stylist')]).toEqual([
      'cook',
      'stylist',
      'stylist',
    ]);
  });

  it.each([
    ['query.user_id', 'Leave it out, or use a key of that user.'],
    ['body.user_id', 'Name the user of the key, or use a key of that user.'],
    ['body.filters.user_id', 'Name the user of the key, or use a key of that user.'],
    ['params.user_id', 'Name the user of the key, or use a key of that user.'],
  ] as const)('say of %s what to do, and repeat nobody’s name', (path, message) => {
    const problem = catchProblem(() => bindUser(bound, 'bob', path));
    expect(problem).toMatchObject({ code: 'forbidden_user', options: { errors: [{ path, message }] } });
    expect(problem.detail).toContain(path);
    expect(problem.detail).not.toMatch(/ann|bob/);
    expect(problem.options.refused).toEqual({ userId: 'bob' });
  });

  it('say of another agent which field to leave out', () => {
    const problem = catchProblem(() => bindAgent(bound, 'cook'));
    expect(problem).toMatchObject({
      code: 'forbidden_agent',
      options: { errors: [{ path: 'body.agent_id', message: 'Leave it out, or use a key of that agent.' }] },
    });
  });
});
