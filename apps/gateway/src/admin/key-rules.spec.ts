import type { CreateKey } from '@annals/contracts';
import fc from 'fast-check';
import type { Bindings, Principal } from '../auth/principal.js';
import { narrowBindings } from './key-rules.js';

const creator = (bindings: Bindings): Principal => ({
  keyId: 'k',
  tenantId: 't',
  scopes: ['admin', 'query'],
  operator: false,
  bindings,
  expiresAt: null,
});

const NAMES = ['tasks', 'goals', 'profile'];
const someName = fc.constantFrom('a', 'b');
const someCategories = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 });

describe('narrowBindings', () => {
  it('never grants more than the creator has, whatever is requested', () => {
    const own = fc.record({
      agentId: fc.option(someName, { nil: null }),
      userId: fc.option(someName, { nil: null }),
      categories: fc.option(someCategories, { nil: null }),
    });
    const requestArbitrary = fc.record(
      { agent_id: someName, user_id: someName, categories: someCategories },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(own, requestArbitrary, (bindings, requested) => {
        const request: CreateKey = { name: 'k', scopes: ['query'], ...requested };
        let made: Bindings;
        try {
          made = narrowBindings(request, creator(bindings));
        } catch {
          return;
        }
        if (bindings.agentId !== null) expect(made.agentId).toBe(bindings.agentId);
        if (bindings.userId !== null) expect(made.userId).toBe(bindings.userId);
        const reach = made.categories ?? NAMES;
        expect(reach.every((name) => bindings.categories?.includes(name) ?? true)).toBe(true);
        if (requested.user_id !== undefined) expect(made.userId).toBe(requested.user_id);
      }),
    );
  });

  it('refuses a scope that the creator does not have', () => {
    const unbound = creator({ agentId: null, userId: null, categories: null });
    expect(() => narrowBindings({ name: 'k', scopes: ['ingest'] }, unbound)).toThrow('forbidden_scope');
  });
});
