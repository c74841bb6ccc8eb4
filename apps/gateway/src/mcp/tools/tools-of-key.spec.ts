import { countTokens } from '@annals/llm-core';
import type { AgentCatalog } from '../../auth/agent-catalog.js';
import type { Bindings, Principal } from '../../auth/principal.js';
import { RouteGuard } from '../../auth/route-guard.js';
import { memoryContext } from './memory-context.js';
import { memoryForget } from './memory-forget.js';
import { memoryQuery } from './memory-query.js';
import { memoryRemember } from './memory-remember.js';
import { listToolsOfKey, UNBOUND_KEY } from './tools-of-key.js';

/** What a route allows does not depend on the agents and their allowlists, which only narrow what it returns. */
const guard = new RouteGuard({} as AgentCatalog);

function listFor(scopes: readonly string[], bindings: Partial<Bindings>, tenantId: string | null = 't') {
  const caller: Principal = {
    keyId: 'k',
    tenantId,
    scopes,
    operator: tenantId === null,
    bindings: { userId: null, agentId: null, categories: null, ...bindings },
    expiresAt: null,
  };
  return listToolsOfKey(caller, guard);
}
const namesFor = (...args: Parameters<typeof listFor>) => [...listFor(...args).tools.keys()];

const user = { userId: 'ada' };
const READ = ['memory_context', 'memory_query'];
const WRITE = ['memory_remember'];
const FORGET = ['memory_forget'];

describe('the tools of a key', () => {
  it.each<[string, readonly string[], Partial<Bindings>, readonly string[]]>([
    ['a user, with query and ingest', ['query', 'ingest'], user, [...READ, ...WRITE, ...FORGET]],
    ['a user, with query', ['query'], user, READ],
    ['a user, with ingest', ['ingest'], user, [...WRITE, ...FORGET]],
    ['a user, with admin', ['admin'], user, FORGET],
    ['a user, without scopes', [], user, []],
    ['a user and an agent', ['query', 'ingest'], { ...user, agentId: 'planner' }, [...READ, ...WRITE]],
    ['a user and categories', ['query', 'ingest'], { ...user, categories: ['tasks'] }, READ],
    ['nobody', ['query', 'ingest', 'admin'], {}, []],
    ['an agent', ['query', 'ingest'], { agentId: 'planner' }, []],
    ['categories', ['query', 'ingest'], { categories: ['tasks'] }, []],
  ])('that is bound to %s are those whose routes it may call', (_what, scopes, bindings, expected) => {
    expect(namesFor(scopes, bindings)).toEqual(expected);
  });

  it('are none for an operator', () => {
    expect(namesFor(['query', 'ingest'], user, null)).toEqual([]);
  });

  it('are missing for a reason that says what to use instead', () => {
    expect(listFor(['query'], user).missing.get('memory_remember')).toBe('Use a key with the scope ingest.');
    expect(listFor(['query', 'ingest'], { ...user, categories: ['tasks'] }).missing.get('memory_remember')).toBe(
      'Use a key that is not bound to categories: a conversation can contain any category.',
    );
    expect([...listFor(['query', 'ingest'], {}).missing.values()]).toEqual(
      Array.from({ length: 4 }, () => UNBOUND_KEY),
    );
  });
});

describe('the definitions of the tools', () => {
  const tools = [memoryContext, memoryQuery, memoryRemember, memoryForget];
  const definitions = tools.map(({ definition }) => definition);

  it('cost a model at most 1,200 tokens, all four together', async () => {
    const tokens = await countTokens(JSON.stringify({ tools: definitions }));
    expect(tokens).toBeLessThanOrEqual(1_200);
    expect(tokens).toBeGreaterThan(500);
  });

  it.each(definitions.map((definition) => [definition.name, definition] as const))(
    'of %s has title, description, schemas and hints, and refuses unknown arguments',
    (_name, { title, description, inputSchema, outputSchema, annotations }) => {
      expect(title).toMatch(/^[A-Z]/);
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object', required: expect.any(Array) });
      expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: false });
    },
  );

  it('take nothing that says whose memory it is, or of which agent, thread or category', () => {
    const names = definitions.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(names.filter((name) => /user|tenant|agent|thread|categor|key_id|actor/.test(name))).toEqual([]);
  });
});
