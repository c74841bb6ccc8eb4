import type { CreateKey } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import fc from 'fast-check';
import { AgentCatalog } from '../auth/agent-catalog.js';
import type { Principal } from '../auth/principal.js';
import type { GatewayOptions } from '../config.js';
import { catchProblem } from '../fixtures/catch-problem.fixture.js';
import { bindNewKey } from './key-rules.js';

const catalog = new AgentCatalog({ categories: { current: DEFAULT_CATEGORY_CONFIG } } as GatewayOptions);

const creator: Principal = {
  keyId: 'k',
  tenantId: 't',
  scopes: ['admin', 'query'],
  operator: false,
  bindings: { agentId: null, userId: null, categories: null },
  expiresAt: null,
};

const bind = (request: Omit<CreateKey, 'name'>) => bindNewKey({ name: 'k', ...request }, creator, catalog);

describe('bindNewKey', () => {
  it('refuses a scope that the creator does not have', () => {
    expect(() => bind({ scopes: ['ingest'] })).toThrow('forbidden_scope');
  });

  it('never gives the scope admin to a key with a binding, and names the fields', () => {
    const binding = fc
      .record(
        {
          agent_id: fc.constant('planner'),
          user_id: fc.string(),
          categories: fc.uniqueArray(fc.constant('tasks'), { minLength: 1 }),
        },
        { requiredKeys: [] },
      )
      .filter((fields) => Object.keys(fields).length > 0);
    fc.assert(
      fc.property(
        binding,
        fc.constantFrom(['admin' as const], ['admin' as const, 'query' as const]),
        (fields, scopes) => {
          const problem = catchProblem(() => bind({ scopes: [...scopes], ...fields }));
          expect(problem).toMatchObject({ code: 'validation_failed', options: { errors: [{ path: 'body.scopes' }] } });
          for (const field of Object.keys(fields)) expect(problem.detail).toContain(`body.${field}`);
        },
      ),
    );
    expect(bind({ scopes: ['admin'] })).toEqual({ agentId: null, userId: null, categories: null });
  });

  it('refuses categories of which the agent may use none', () => {
    const problem = catchProblem(() => bind({ scopes: ['query'], agent_id: 'stylist', categories: ['tasks'] }));
    expect(problem).toMatchObject({ code: 'validation_failed', options: { errors: [{ path: 'body.categories' }] } });
    const some = bind({ scopes: ['query'], agent_id: 'stylist', categories: ['tasks', 'style'], user_id: 'u' });
    expect(some).toEqual({ agentId: 'stylist', userId: 'u', categories: ['tasks', 'style'] });
  });

  it('refuses an unknown agent', () => {
    expect(() => bind({ scopes: ['query'], agent_id: 'nobody' })).toThrow('forbidden_agent');
  });
});
