import { catchProblem } from '../fixtures/catch-problem.fixture.js';
import { bindAgent, bindUser } from './check-bindings.js';

const bound = { userId: 'ann', agentId: 'stylist', categories: null };
const unbound = { userId: null, agentId: null, categories: null };

describe('bindUser and bindAgent', () => {
  it('return what an unbound key sends, and what a bound key is bound to', () => {
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
    ['query.user_id', 'Omit this parameter, or use a key for the requested user.'],
    ['body.user_id', 'Send the user that the key is bound to, or use a key for the requested user.'],
    ['body.filters.user_id', 'Send the user that the key is bound to, or use a key for the requested user.'],
    ['params.user_id', 'Send the user that the key is bound to, or use a key for the requested user.'],
  ] as const)('refuse another user in %s with what to do, without repeating a name', (path, message) => {
    const problem = catchProblem(() => bindUser(bound, 'bob', path));
    expect(problem).toMatchObject({ code: 'forbidden_user', options: { errors: [{ path, message }] } });
    expect(problem.detail).toContain(path);
    expect(problem.detail).not.toMatch(/ann|bob/);
    expect(problem.options.refused).toEqual({ userId: 'bob' });
  });

  it('refuse another agent, and name the field to omit', () => {
    const problem = catchProblem(() => bindAgent(bound, 'cook'));
    expect(problem).toMatchObject({
      code: 'forbidden_agent',
      options: {
        errors: [{ path: 'body.agent_id', message: 'Omit this field, or use a key for the requested agent.' }],
      },
    });
  });
});
