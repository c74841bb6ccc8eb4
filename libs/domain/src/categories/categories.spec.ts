import { categorySchema } from '@annals/contracts';
import fc from 'fast-check';
import { DEFAULT_CATEGORY_CONFIG, listCategoryNames } from './default-categories.js';
import { resolveAllowedCategories } from './resolve-allowed-categories.js';

const ALL = listCategoryNames();
const AGENTS = Object.keys(DEFAULT_CATEGORY_CONFIG.allowlists);

describe('default categories', () => {
  it('define every category of the allowlists, each once and with a valid name', () => {
    expect(new Set(ALL).size).toBe(ALL.length);
    for (const name of ALL) expect(categorySchema.safeParse(name).success).toBe(true);
    for (const name of Object.values(DEFAULT_CATEGORY_CONFIG.allowlists).flat()) expect(ALL).toContain(name);
  });

  it('allow relationship_dynamic to the supervisor, and procedural only to executor and planner', () => {
    const whoSees = (name: string) =>
      AGENTS.filter((agent) => DEFAULT_CATEGORY_CONFIG.allowlists[agent]!.includes(name));
    expect(whoSees('relationship_dynamic')).toEqual(['supervisor']);
    expect(whoSees('procedural').toSorted()).toEqual(['executor', 'planner']);
  });
});

describe('resolveAllowedCategories', () => {
  it('allows an unbound key without an agent all categories except those on request only', () => {
    expect(resolveAllowedCategories({})).toEqual({ ok: true, categories: ALL.filter((name) => name !== 'procedural') });
    expect(resolveAllowedCategories({ requested: ['procedural'] })).toEqual({ ok: true, categories: ['procedural'] });
  });

  it('allows an agent its allowlist, and procedural only when it is requested', () => {
    expect(resolveAllowedCategories({ agent: 'planner' })).toEqual({
      ok: true,
      categories: ['goals', 'tasks', 'projects'],
    });
    expect(resolveAllowedCategories({ agent: 'planner', requested: ['procedural'] })).toEqual({
      ok: true,
      categories: ['procedural'],
    });
  });

  it.each(['nobody', 'constructor', '__proto__', ''])('refuses and names the unknown agent %j', (agent) => {
    expect(resolveAllowedCategories({ agent })).toEqual({
      ok: false,
      refused: 'agent',
      names: [agent],
      permitted: AGENTS,
    });
  });

  it('refuses an agent other than the one that the key is bound to', () => {
    expect(resolveAllowedCategories({ agent: 'planner', keyAgent: 'stylist' })).toEqual({
      ok: false,
      refused: 'agent',
      names: ['planner'],
      permitted: ['stylist'],
    });
    expect(resolveAllowedCategories({ keyAgent: 'stylist' })).toEqual(resolveAllowedCategories({ agent: 'stylist' }));
  });

  it('names the categories outside the allowlist', () => {
    expect(resolveAllowedCategories({ agent: 'stylist', requested: ['tone', 'goals', 'no_such', 'goals'] })).toEqual({
      ok: false,
      refused: 'categories',
      names: ['goals', 'no_such'],
      permitted: ['preferences', 'tone', 'style'],
    });
  });

  it('restricts a key to its categories', () => {
    expect(resolveAllowedCategories({ agent: 'supervisor', keyCategories: ['goals', 'tone'] })).toEqual({
      ok: true,
      categories: ['goals'],
    });
    expect(resolveAllowedCategories({ requested: ['event'], keyCategories: ['goals'] }).ok).toBe(false);
    expect(resolveAllowedCategories({ keyCategories: [] })).toEqual({ ok: true, categories: [] });
  });

  it('never allows more than both key and agent allow', () => {
    const names = fc.subarray([...ALL, 'no_such']);
    const agent = fc.option(fc.constantFrom(...AGENTS), { nil: undefined });
    fc.assert(
      fc.property(
        agent,
        agent,
        fc.option(names),
        fc.option(names, { nil: undefined }),
        (asked, keyAgent, keyCategories, requested) => {
          const resolved = resolveAllowedCategories({ agent: asked, keyAgent, keyCategories, requested });
          if (!resolved.ok) return;
          for (const name of resolved.categories) {
            expect(ALL).toContain(name);
            if (keyCategories) expect(keyCategories).toContain(name);
            for (const bound of [asked, keyAgent])
              if (bound) expect(DEFAULT_CATEGORY_CONFIG.allowlists[bound]).toContain(name);
            if (requested?.length) expect(requested).toContain(name);
          }
        },
      ),
    );
  });
});
