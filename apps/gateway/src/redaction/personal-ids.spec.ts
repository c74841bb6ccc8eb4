import { type RouteDefinition, routes } from '@annals/contracts';
import { MAX_SLICE_UNITS, runAtOnce } from '@annals/domain';
import { Redactor } from '@annals/runtime';
import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { catchProblem } from '../fixtures/catch-problem.fixture.js';
import { listUserIds, NO_KNOWN_USERS } from './known-users.js';
import { applyIdPolicy, applyIdPolicyToCaller, applyIdPolicyToKey } from './personal-ids.js';

const redactorWith = (personalIds: 'keep' | 'hash' | 'refuse') =>
  new Redactor({
    defaultCountry: 'US',
    personalIds,
    pseudonymOf: undefined,
    key: createSecretKey(Buffer.alloc(32, 1)),
    keyFingerprint: 'of the key',
  });

const apply = (route: RouteDefinition, input: object, personalIds: 'keep' | 'hash' | 'refuse') =>
  runAtOnce(applyIdPolicy(route, input as never, redactorWith(personalIds), NO_KNOWN_USERS));

type Path = readonly string[];

/** Every path of a schema at which an identifier is accepted: a string that must not begin with white space. */
function listIdPaths(schema: z.ZodType | undefined, path: Path = []): Path[] {
  if (!schema) return [];
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => listIdPaths(field as z.ZodType, [...path, name]));
  }
  if (schema instanceof z.ZodArray) return listIdPaths(schema.element as z.ZodType, [...path, '0']);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return listIdPaths(schema.unwrap() as z.ZodType, path);
  }
  if (!(schema instanceof z.ZodString)) return [];
  const messages = schema.safeParse(' x').error?.issues.map(({ message }) => message) ?? [];
  return messages.some((message) => message.includes('identifier')) ? [path] : [];
}

/** The input with `id` at each path; a number as a step is an index. */
function inputWith(paths: readonly Path[], id: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const path of paths) {
    let at: Record<string, unknown> = input;
    for (const [index, step] of path.slice(0, -1).entries()) {
      at[step] ??= path[index + 1] === '0' ? [] : {};
      at = at[step] as Record<string, unknown>;
    }
    at[path.at(-1)!] = id;
  }
  return input;
}

const table = Object.entries<RouteDefinition>(routes).map(([name, route]) => {
  const parts = [
    ...listIdPaths(route.params).map((path) => ['params', ...path]),
    ...listIdPaths(route.query).map((path) => ['query', ...path]),
    ...listIdPaths(route.body).map((path) => ['body', ...path]),
  ];
  return [name, route, parts] as const;
});
const withIds = table.filter(([, , paths]) => paths.length > 0);

describe('ids that carry personal data', () => {
  it('are found in the schemas of the routes', () => {
    const paths = new Set(withIds.flatMap(([, , all]) => all.map((path) => path.join('.'))));
    expect(withIds.length).toBeGreaterThan(15);
    expect([...paths]).toEqual(
      expect.arrayContaining([
        'params.user_id',
        'body.messages.0.id',
        'body.messages.0.actor_id',
        'body.filters.app_id',
      ]),
    );
  });

  it.each(withIds)('are hashed wherever a route accepts an id: %s', (_name, route, paths) => {
    const input = inputWith(paths, 'ana@example.com');
    expect(JSON.stringify(apply(route, input, 'keep'))).toContain('ana@example.com');
    const hashed = apply(route, input, 'hash');
    expect(JSON.stringify(hashed)).not.toContain('ana@example.com');
    expect(JSON.stringify(hashed).match(/"id-[0-9a-f]{32}"/g)).toHaveLength(paths.length);
  });

  it.each(withIds)('are refused by every route that could store one, naming the fields: %s', (_name, route, paths) => {
    const input = inputWith(paths, 'ana@example.com');
    const refuse = () => apply(route, input, 'refuse');
    // A link is made for whoever was stored before, which is known once it is made.
    const isRead = route.method === 'GET' || route.method === 'DELETE' || route === routes.createPersonLink;
    if (isRead) return expect(refuse()).toBe(input);
    const { options } = catchProblem(refuse);
    const named = options.errors!.map(({ path }) => path.replaceAll('[0]', '.0'));
    expect(named.toSorted()).toEqual(paths.map((path) => path.join('.')).toSorted());
  });

  it.each([
    ['user-42', false],
    ['019e5b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e', false],
    ['usr_2kX9fjq8Zk1LmNoP3qRsT', false],
    ['U0423', false],
    ['Ana Lee', false],
    ['ana@example.com', true],
    ['crm:ana@example.com', true],
    ['+14155552671', true],
    ['203.0.113.7', true],
    ['DE89370400440532013000', true],
  ])('%j is personal: %s', (id, expected) => {
    expect(redactorWith('hash').isPersonalId(id)).toBe(expected);
  });

  it('are hashed or refused as an Idempotency-Key, too', () => {
    expect(applyIdPolicyToKey('ana@example.com', redactorWith('keep'))).toBe('ana@example.com');
    expect(applyIdPolicyToKey('ana@example.com', redactorWith('hash'))).toMatch(/^id-[0-9a-f]{32}$/);
    expect(applyIdPolicyToKey('order-17', redactorWith('hash'))).toBe('order-17');
    const refused = catchProblem(() => applyIdPolicyToKey('ana@example.com', redactorWith('refuse')));
    expect(refused.options.errors).toMatchObject([{ path: 'headers.idempotency-key' }]);
  });

  it('are read in slices, and each of them once', () => {
    const post = (idOf: (index: number) => string) => {
      const messages = Array.from({ length: 500 }, (_, index) => {
        return { id: idOf(index).padEnd(200, 'x'), actor_id: idOf(index).padStart(200, 'x') };
      });
      const input = { body: { messages } } as never;
      const work = applyIdPolicy(routes.postConversation, input, redactorWith('hash'), NO_KNOWN_USERS);
      let slices = 1;
      while (!work.next().done) slices += 1;
      return slices;
    };
    expect(post((index) => `ana${index}@example.com`)).toBeGreaterThanOrEqual(Math.ceil(200_000 / MAX_SLICE_UNITS));
    expect(post(() => 'ana@example.com')).toBe(1);
  });

  it.each(withIds)(
    'are found where a route names users, who keep the form that is stored: %s',
    (_name, route, paths) => {
      const named = paths.filter((path) => path.at(-1) === 'user_id');
      const input = inputWith(paths, 'ana@example.com') as never;
      expect(listUserIds(input)).toEqual(named.length > 0 ? ['ana@example.com'] : []);
      // As an actor or in another place of the same request it is the same person.
      const known = new Map([['ana@example.com', 'ana@example.com']]);
      expect(runAtOnce(applyIdPolicy(route, input, redactorWith('hash'), known))).toEqual(input);
    },
  );

  it('are what a key is bound to, in the form that is stored', () => {
    const bindings = { userId: 'ana', agentId: 'ben@example.com', categories: null };
    const caller = { bindings } as never;
    const bound = applyIdPolicyToCaller(caller, redactorWith('hash'), new Map([['ana', 'id-1']]));
    expect(bound.bindings).toEqual({
      ...bindings,
      userId: 'id-1',
      agentId: expect.stringMatching(/^id-[0-9a-f]{32}$/),
    });
  });

  it('are hashed or refused one by one in a list of threads', () => {
    const input = { body: { thread_ids: ['order-17', 'ana@example.com', 'id-17', '+14155552671'] } };
    const { body } = apply(routes.pruneLangGraphThreads, input, 'hash') as unknown as typeof input;
    const hash = expect.stringMatching(/^id-[0-9a-f]{32}$/);
    expect(body.thread_ids).toEqual(['order-17', hash, 'id-17', hash]);
    // As the path of another route names them.
    const named = apply(routes.deleteLangGraphThread, { params: { thread_id: 'ana@example.com' } }, 'hash');
    expect(named).toEqual({ params: { thread_id: body.thread_ids[1] } });
    const { options } = catchProblem(() => apply(routes.pruneLangGraphThreads, input, 'refuse'));
    expect(options.errors!.map(({ path }) => path)).toEqual(['body.thread_ids[1]', 'body.thread_ids[3]']);
  });

  it('are not looked for in the ids that LangGraph makes, by which checkpoints are ordered', () => {
    const made = 'ana@example.com';
    const input = {
      params: { thread_id: 't', checkpoint_id: made, task_id: made },
      query: { checkpoint_ns: made },
      body: { parent_id: made, metadata: { user_id: made }, state: made },
    };
    expect(apply(routes.putLangGraphCheckpoint, input, 'hash')).toEqual(input);
    expect(apply(routes.putLangGraphCheckpoint, input, 'refuse')).toEqual(input);
  });

  it('leaves what a checkpoint holds', () => {
    const input = { params: { user_id: 'u', thread_id: 't' }, body: { data: { user_id: 'ana@example.com' } } };
    expect(apply(routes.putCheckpoint, input, 'hash')).toMatchObject(input);
  });
});
