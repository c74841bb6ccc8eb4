import { type ObservedMemory, type ObservedMessage, PROPOSAL_TTL_MS } from '@annals/domain';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { decideProposal, editUserContext, expireProposals } from './decide-context.js';
import { getUserContext, listProposals } from './read-context.js';
import { observeContext, observeInsight } from './observe-context.js';

describe('the user context', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let users = 0;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({
    clock: fixture.clock,
    ids: fixture.ids,
    randomBytes: (size: number) => Buffer.alloc(size, 7),
  });

  /** A user with all operations on their context. */
  const createUser = (of = tenantId) => {
    const userId = `user-${++users}`;
    const observe = (messages: readonly Partial<ObservedMessage>[], memories: readonly ObservedMemory[] = []) => {
      fixture.clock.advance(1_000);
      const observed = messages.map((message) => ({
        id: fixture.ids.next(),
        role: 'user',
        actorId: null,
        content: '',
        saidAt: fixture.clock.now(),
        ...message,
      }));
      return fixture.inTenant(of, (tx) => observeContext(tx, { userId, messages: observed, memories }, dependencies()));
    };
    return {
      userId,
      observe,
      postMessages: (...contents: string[]) => observe(contents.map((content) => ({ content }))),
      context: () => fixture.inTenant(of, (tx) => getUserContext(tx, userId)),
      proposals: async (state?: 'pending') =>
        (await fixture.inTenant(of, (tx) => listProposals(tx, userId, { limit: 50, state }, fixture.clock.now())))
          .items,
      edit: (edit: Parameters<typeof editUserContext>[1]['edit'], expectedRevision: number | null = null) => {
        fixture.clock.advance(1_000);
        return fixture.inTenant(of, (tx) =>
          editUserContext(tx, { userId, actor: 'key:k', edit, expectedRevision }, dependencies()),
        );
      },
      decide: (proposalId: string, answer: 'accept' | 'reject') => {
        fixture.clock.advance(1_000);
        return fixture.inTenant(of, (tx) =>
          decideProposal(tx, { userId, proposalId, answer, actor: 'key:k' }, dependencies()),
        );
      },
      audit: () =>
        fixture.queryAsSuperuser<{
          actor: string;
          content: string;
          meta: { decision: string; field: string; by: string };
        }>(`SELECT actor, content, meta FROM history WHERE user_id = $1 AND event = 'CONSENT' ORDER BY seq`, [userId]),
      chain: async () => {
        const [user] = await fixture.queryAsSuperuser<{ chain_seq: string; chain_head: Buffer }>(
          'SELECT chain_seq, chain_head FROM users WHERE user_id = $1',
          [userId],
        );
        const rows = await fixture.queryAsSuperuser<{ hash: Buffer; prev_hash: Buffer }>(
          'SELECT hash, prev_hash FROM history WHERE user_id = $1 ORDER BY seq',
          [userId],
        );
        return { user: user!, rows };
      },
    };
  };

  it('is empty until a value is known', async () => {
    const user = createUser();
    expect(await user.context()).toEqual({
      user_id: user.userId,
      revision: 0,
      preferred_name: null,
      pronouns: null,
      city: null,
      language: null,
      tone: null,
      goals: [],
      insights: null,
      updated_at: null,
    });
    expect(await user.postMessages('What is the weather like?')).toBe(0);
    expect(await fixture.queryAsSuperuser('SELECT FROM users WHERE user_id = $1', [user.userId])).toEqual([]);
  });

  it('applies a value only after consent, and audits each decision without content in its meta', async () => {
    const user = createUser();
    await user.postMessages('My name is Ana and I live in Lisbon.');
    expect(await user.context()).toMatchObject({ revision: 0, preferred_name: null, city: null });
    const [city, name] = await user.proposals('pending');
    expect([name, city]).toMatchObject([
      { field: 'preferred_name', value: 'Ana' },
      { field: 'city', value: 'Lisbon' },
    ]);
    expect(await user.audit()).toEqual([]);
    expect(await user.decide(city!.id, 'accept')).toMatchObject({
      outcome: 'decided',
      proposal: { state: 'accepted', decided_by: 'ui' },
      context: { city: 'Lisbon', revision: 1 },
    });
    expect(await user.decide(name!.id, 'reject')).toMatchObject({ context: { preferred_name: null, revision: 1 } });
    expect(await user.decide(name!.id, 'accept')).toEqual({ outcome: 'not_pending', state: 'rejected' });
    await user.postMessages('yes, call me Ana');
    expect(await user.context()).toMatchObject({ preferred_name: 'Ana', revision: 2 });
    expect(await user.audit()).toEqual([
      { actor: 'key:k', content: 'city: Lisbon', meta: { decision: 'applied', field: 'city', by: 'ui' } },
      {
        actor: 'key:k',
        content: 'preferred_name: Ana',
        meta: { decision: 'rejected', field: 'preferred_name', by: 'ui' },
      },
      {
        actor: 'consent',
        content: 'preferred_name: Ana',
        meta: { decision: 'applied', field: 'preferred_name', by: 'chat' },
      },
    ]);
    const { user: row, rows } = await user.chain();
    expect(rows.map(({ hash }) => hash).at(-1)).toEqual(row.chain_head);
    rows.slice(1).forEach(({ prev_hash }, index) => expect(prev_hash).toEqual(rows[index]!.hash));
  });

  it('does not propose a rejected value again until a later message repeats it', async () => {
    const user = createUser();
    const said = fixture.clock.now();
    await user.observe([{ content: 'I live in Lisbon.', saidAt: said }]);
    await user.decide((await user.proposals())[0]!.id, 'reject');
    await user.observe([{ content: 'I live in Lisbon.', saidAt: said }]);
    expect(await user.proposals('pending')).toEqual([]);
    await user.postMessages('I live in Lisbon.');
    expect(await user.proposals('pending')).toMatchObject([{ value: 'Lisbon' }]);
  });

  it('applies tone and goals after two messages, and counts memories as signals of their messages', async () => {
    const user = createUser();
    const message = { id: fixture.ids.next(), content: 'My goal is to run a marathon.' };
    const memory = { content: "The user's goal is to run a marathon.", messageIds: [message.id] };
    await user.observe([message], [memory]);
    expect(await user.context()).toMatchObject({ goals: [] });
    const second = { id: fixture.ids.next(), content: 'Training went well.' };
    await user.observe([second], [{ ...memory, messageIds: [second.id] }]);
    expect(await user.context()).toMatchObject({ goals: ['run a marathon'], revision: 1 });
    await user.postMessages('Be concise, please.', 'Please keep your answers short');
    expect(await user.context()).toMatchObject({ tone: 'concise', revision: 2 });
  });

  it('applies a certain insight immediately, and counts another as one signal', async () => {
    const user = createUser();
    const insight = {
      userId: user.userId,
      field: 'tone',
      value: 'formal',
      messageId: fixture.ids.next(),
      saidAt: fixture.clock.now(),
    } as const;
    await fixture.inTenant(tenantId, (tx) => observeInsight(tx, { ...insight, confidence: 0.7 }, dependencies()));
    expect(await user.context()).toMatchObject({ tone: null });
    await fixture.inTenant(tenantId, (tx) =>
      observeInsight(tx, { ...insight, messageId: fixture.ids.next(), confidence: 0.9 }, dependencies()),
    );
    expect(await user.context()).toMatchObject({ tone: 'formal' });
  });

  it('is edited directly, unless it was changed concurrently', async () => {
    const user = createUser();
    expect(await user.edit({ city: 'Porto', goals: ['rest more'] }, 0)).toMatchObject({
      outcome: 'edited',
      context: { revision: 1, city: 'Porto', goals: ['rest more'] },
    });
    expect(await user.edit({ city: null }, 0)).toEqual({ outcome: 'conflict', revision: 1 });
    const both = await Promise.all([user.edit({ tone: 'formal' }, 1), user.edit({ tone: 'casual' }, 1)]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['conflict', 'edited']);
    expect(await user.edit({ city: null })).toMatchObject({
      context: { revision: 3, city: null, goals: ['rest more'] },
    });
  });

  it('is decided once by concurrent answers to a proposal', async () => {
    const user = createUser();
    await user.postMessages('My pronouns are they/them.');
    const [proposal] = await user.proposals();
    const answers = await Promise.all(
      (['accept', 'reject', 'accept', 'reject'] as const).map((answer) => user.decide(proposal!.id, answer)),
    );
    expect(answers.filter(({ outcome }) => outcome === 'decided')).toHaveLength(1);
    expect(await user.audit()).toHaveLength(1);
  });

  it('is not changed by an expired proposal, which is ended once', async () => {
    const user = createUser(await fixture.addTenant());
    await user.postMessages('My name is Ana.');
    const [proposal] = await user.proposals();
    fixture.clock.advance(PROPOSAL_TTL_MS);
    expect(await user.proposals()).toMatchObject([{ state: 'expired', decided_by: 'time' }]);
    expect(await user.proposals('pending')).toEqual([]);
    expect(await user.decide(proposal!.id, 'accept')).toEqual({ outcome: 'not_pending', state: 'expired' });
    const expire = () => expireProposals(fixture.database, { limit: 100, shouldContinue: () => true }, dependencies());
    expect((await expire()).ended).toBeGreaterThanOrEqual(1);
    expect(await expire()).toEqual({ ended: 0, isComplete: true });
    expect(await user.context()).toMatchObject({ preferred_name: null, revision: 0 });
    expect(await user.audit()).toMatchObject([{ meta: { decision: 'expired' } }]);
    await user.postMessages('My name is Ana.');
    expect(await user.proposals('pending')).toHaveLength(1);
  });

  it('is visible to its tenant only', async () => {
    const user = createUser();
    await user.postMessages('Please call me Ana.', 'I live in Lisbon.');
    const stranger = await fixture.addTenant();
    expect(await fixture.inTenant(stranger, (tx) => getUserContext(tx, user.userId))).toMatchObject({ revision: 0 });
    const page = await fixture.inTenant(stranger, (tx) =>
      listProposals(tx, user.userId, { limit: 9 }, fixture.clock.now()),
    );
    expect(page).toEqual({ items: [], next_cursor: null });
  });
});
