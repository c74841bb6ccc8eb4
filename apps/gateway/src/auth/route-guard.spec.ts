import { defineRoute, routes } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import type { GatewayOptions } from '../config.js';
import { catchProblem } from '../fixtures/catch-problem.fixture.js';
import { createGatewayAdapter } from '../http/create-adapter.js';
import { Endpoint } from '../http/endpoint.js';
import { AgentCatalog } from './agent-catalog.js';
import type { Bindings, Principal } from './principal.js';
import { RouteGuard } from './route-guard.js';

const guard = new RouteGuard(new AgentCatalog({ categories: { current: DEFAULT_CATEGORY_CONFIG } } as GatewayOptions));
const bound = (bindings: Partial<Bindings>): Principal => ({
  keyId: 'key',
  tenantId: 'tenant',
  scopes: ['admin'],
  operator: false,
  bindings: { userId: null, agentId: null, categories: null, ...bindings },
  expiresAt: null,
});
const input = (parts: object) => ({ params: undefined, query: undefined, body: undefined, ...parts });

describe('RouteGuard', () => {
  it.each([
    [
      'query.user_id',
      routes.listMemories,
      { query: { user_id: 'bob' } },
      'Omit this parameter, or use a key for the requested user.',
    ],
    ['body.user_id', routes.postConversation, { body: { user_id: 'bob' } }, /^Send the user that the key is bound to/],
    ['body.filters.user_id', routes.queryMemory, { body: { filters: { user_id: 'bob' } } }, /^Send the user/],
    ['params.user_id', routes.eraseUser, { params: { user_id: 'bob' } }, /^Send the user/],
  ] as const)('refuses another user in %s with what to do, without repeating a name', (path, route, parts, message) => {
    const problem = catchProblem(() => guard.resolve(route, input(parts), bound({ userId: 'ann' })));
    expect(problem).toMatchObject({ code: 'forbidden_user', options: { refused: { userId: 'bob' } } });
    expect(problem.options.errors).toEqual([{ path, message: expect.stringMatching(message) as string }]);
    expect(problem.detail).not.toMatch(/ann|bob/);
  });

  it('refuses another agent, and names the field to omit', () => {
    const parts = { body: { user_id: 'ann', agent_id: 'cook' } };
    const problem = catchProblem(() =>
      guard.resolve(routes.postConversation, input(parts), bound({ agentId: 'stylist' })),
    );
    expect(problem).toMatchObject({
      code: 'forbidden_agent',
      options: {
        errors: [{ path: 'body.agent_id', message: 'Omit this field, or use a key for the requested agent.' }],
      },
    });
  });

  it('takes what a request omits from the key, and from the request what the key leaves open', () => {
    const resolve = (key: Partial<Bindings>, query: object) =>
      guard.resolve(routes.listMemories, input({ query }), bound(key));
    expect(resolve({ userId: 'ann' }, {}).userId).toBe('ann');
    expect(resolve({}, { user_id: 'bob' }).userId).toBe('bob');
    expect(resolve({}, {})).toEqual({ userId: undefined, agentId: undefined, categories: null, view: null });
    expect(resolve({ agentId: 'stylist', categories: ['style', 'tasks'] }, {}).categories).toEqual(['style']);
  });

  it.each([
    ['a user', { userId: 'ann' }, 'forbidden_user'],
    ['an agent', { agentId: 'stylist' }, 'forbidden_agent'],
    ['categories', { categories: ['tasks'] }, 'forbidden_category'],
  ] as const)('refuses what concerns the whole tenant to a key that is bound to %s', (name, key, code) => {
    for (const route of [routes.putBudget, routes.getUsage, routes.createKey, routes.listKeys, routes.revokeKey]) {
      const problem = catchProblem(() => guard.checkRoute(route, bound(key)));
      expect(problem.code).toBe(code);
      expect(problem.detail).toContain(`not bound to ${name}: `);
    }
  });
});

describe('a route without an entry in the table of key bindings', () => {
  const unlisted = defineRoute({ ...routes.getUsage, path: '/v1/unlisted' });

  it('cannot be given to a controller', () => {
    expect(() => Endpoint(unlisted)).toThrow('GET /v1/unlisted has no entry');
  });

  it('stops the process when something else binds it', () => {
    const fastify = createGatewayAdapter({ trustedProxies: [] }).getInstance();
    expect(() => fastify.get('/v1/unlisted', () => 'served')).toThrow('GET /v1/unlisted is not in the route table');
    expect(() => fastify.get('/v1/usage', () => 'served')).not.toThrow();
  });
});
