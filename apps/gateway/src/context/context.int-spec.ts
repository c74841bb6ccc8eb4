import type { Proposal, ProposalDecided, ProposalPage, UserContext } from '@annals/contracts';
import { observeContext } from '@annals/storage';
import { randomBytes } from 'node:crypto';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('the user context over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let users = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('contexts');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const newUser = () => `user-${++users}`;
  const get = async (userId: string) =>
    (await gateway.send<UserContext>(key, 'GET', `/v1/users/${userId}/context`)).body;
  const put = (userId: string, body: object, headers: Record<string, string> = {}, by = key) =>
    gateway.send<UserContext>(by, 'PUT', `/v1/users/${userId}/context`, { body, headers });
  const list = async (userId: string, query = '') =>
    (await gateway.send<ProposalPage>(key, 'GET', `/v1/users/${userId}/proposals${query}`)).body;
  const answer = (proposal: Proposal, verb: 'accept' | 'reject', by = key) =>
    gateway.send<ProposalDecided>(by, 'POST', `/v1/proposals/${proposal.id}/${verb}`);
  /** Applies the signals of a message as persistence does. */
  const observeMessages = (userId: string, ...contents: string[]) => {
    const { clock, ids } = gateway.infrastructure;
    const messages = contents.map((content) => ({
      id: ids.next(),
      role: 'user',
      actorId: null,
      content,
      saidAt: clock.now(),
    }));
    return gateway.database.inTenant(tenantId, (tx) =>
      observeContext(tx, { userId, messages, memories: [] }, { clock, ids, randomBytes }),
    );
  };

  it('is empty for an unknown user, and returns what was set with PUT', async () => {
    const user = newUser();
    expect(await get(user)).toMatchObject({ user_id: user, revision: 0, city: null, goals: [] });
    const set = await put(user, { preferred_name: 'Ana', city: 'São Paulo', goals: ['run a marathon'] });
    expect(set).toMatchObject({ status: 200, body: { revision: 1, preferred_name: 'Ana', city: 'São Paulo' } });
    expect(set.headers.get('etag')).toBe('"1"');
    expect(await put(user, { city: null })).toMatchObject({
      body: { revision: 2, preferred_name: 'Ana', city: null, goals: ['run a marathon'] },
    });
    expect(await get(user)).toMatchObject({ revision: 2, preferred_name: 'Ana', city: null });
  });

  it('redacts values that are not part of a name', async () => {
    const user = newUser();
    const { body } = await put(user, { preferred_name: 'ana@example.com' });
    expect(body.preferred_name).toMatch(/^\[email [0-9a-f]{16}\]$/);
  });

  it('refuses an empty change, too many goals, and an unknown field', async () => {
    const user = newUser();
    expect((await put(user, {})).status).toBe(400);
    expect((await put(user, { goals: Array.from({ length: 21 }, (_, n) => `goal ${n}`) })).status).toBe(400);
    expect((await put(user, { mood: 'good' })).status).toBe(400);
    expect((await put(user, { city: ' Rome' })).status).toBe(400);
    expect(await get(user)).toMatchObject({ revision: 0 });
  });

  it('refuses a write with an outdated revision', async () => {
    const user = newUser();
    await put(user, { tone: 'formal' }, { 'if-match': '"0"' });
    expect(await put(user, { tone: 'casual' }, { 'if-match': '"0"' })).toMatchObject({
      status: 412,
      body: { code: 'revision_conflict', current_version: 1 },
    });
    expect(await put(user, { tone: 'casual' }, { 'if-match': '"1"' })).toMatchObject({ status: 200 });
  });

  it('applies an accepted proposal, but not a rejected one', async () => {
    const user = newUser();
    await observeMessages(user, 'My name is Ana and I live in Lisbon.');
    const { items } = await list(user);
    expect(items.map(({ field, value, state }) => `${state} ${field} ${value}`).toSorted()).toEqual([
      'pending city Lisbon',
      'pending preferred_name Ana',
    ]);
    const city = items.find(({ field }) => field === 'city')!;
    const name = items.find(({ field }) => field === 'preferred_name')!;
    expect(await answer(city, 'accept')).toMatchObject({
      status: 200,
      body: { proposal: { state: 'accepted', decided_by: 'ui' }, context: { city: 'Lisbon', revision: 1 } },
    });
    expect(await answer(name, 'reject')).toMatchObject({ body: { context: { preferred_name: null } } });
    const again = await answer(name, 'accept');
    expect(again).toMatchObject({ status: 409, body: { code: 'proposal_not_pending' } });
    expect((await list(user, '?state=rejected')).items).toMatchObject([{ id: name.id }]);
    expect((await list(user, '?state=pending')).items).toEqual([]);
  });

  it('returns the first response when a decision is repeated under one Idempotency-Key', async () => {
    const user = newUser();
    await observeMessages(user, 'My pronouns are they/them.');
    const [proposal] = (await list(user)).items;
    const accept = () =>
      gateway.send<ProposalDecided>(key, 'POST', `/v1/proposals/${proposal!.id}/accept`, {
        headers: { 'idempotency-key': 'accept-once' },
      });
    const first = await accept();
    const again = await accept();
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('lists proposals page by page', async () => {
    const user = newUser();
    await observeMessages(user, 'My name is Ana. I live in Lisbon. My pronouns are she/her.');
    const all = await list(user);
    const first = await list(user, '?limit=2');
    const second = await list(user, `?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.next_cursor).toBeNull();
  });

  it('refuses consent with an agent’s key', async () => {
    const user = newUser();
    await observeMessages(user, 'I live in Lisbon.');
    const [proposal] = (await list(user)).items;
    const agent = await gateway.makeKey({ tenantId, agentId: 'supervisor' });
    expect(await answer(proposal!, 'accept', agent)).toMatchObject({ status: 403, body: { code: 'forbidden_agent' } });
    expect(await put(user, { city: 'Rome' }, {}, agent)).toMatchObject({ status: 403 });
    expect((await gateway.send(agent, 'GET', `/v1/users/${user}/context`)).status).toBe(200);
    const stylist = await gateway.makeKey({ tenantId, agentId: 'stylist' });
    expect(await gateway.send(stylist, 'GET', `/v1/users/${user}/context`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_category' },
    });
    expect(await get(user)).toMatchObject({ city: null });
  });

  it('restricts keys to their tenant, user and categories', async () => {
    const user = newUser();
    await observeMessages(user, 'I live in Lisbon.');
    const [proposal] = (await list(user)).items;
    const otherTenantKey = await gateway.makeKey({ tenantId: await gateway.makeTenant('context strangers') });
    expect((await answer(proposal!, 'accept', otherTenantKey)).status).toBe(404);
    expect((await gateway.send<UserContext>(otherTenantKey, 'GET', `/v1/users/${user}/context`)).body.revision).toBe(0);
    const other = await gateway.makeKey({ tenantId, userId: 'somebody-else' });
    expect((await answer(proposal!, 'reject', other)).status).toBe(404);
    expect(await gateway.send(other, 'GET', `/v1/users/${user}/proposals`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_user' },
    });
    const narrow = await gateway.makeKey({ tenantId, categories: ['tasks'] });
    expect(await put(user, { city: 'Rome' }, {}, narrow)).toMatchObject({
      status: 403,
      body: { code: 'forbidden_category' },
    });
    expect((await list(user)).items).toMatchObject([{ state: 'pending' }]);
  });
});
