import type {
  ApiKey,
  Conversation,
  ConversationAccepted,
  Memory,
  MemoryWritten,
  TenantCreated,
  UserContext,
} from '@annals/contracts';
import { Redactors } from '@annals/runtime';
import { findTablesContaining } from '../fixtures/find-tables-containing.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { TenantSettingsFixture } from '../fixtures/tenant-settings.fixture.js';

const ANA = /\[email ([0-9a-f]{16})\]/;

describe('redaction of a tenant', () => {
  let gateway: TestGateway;
  let operator: string;
  let tenantId: string;
  let key: string;
  let fixture: TenantSettingsFixture;
  beforeAll(async () => {
    gateway = await startGateway();
    fixture = await TenantSettingsFixture.open(gateway);
    ({ operator } = fixture);
    tenantId = await gateway.makeTenant('redaction');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const add = (user_id: string, content: string, by = key) => fixture.add(by, user_id, content);
  const remember = async (user_id: string, content: string, by = key) =>
    (await add(user_id, content, by)).body.memory.content;
  const queryMemory = (body: object, by = key) => fixture.queryMemory(by, body);
  const list = (query: string, by = key) => fixture.list(by, query);
  const say = async (user_id: string, contents: readonly string[], by = key) => {
    const messages = contents.map((content) => ({ role: 'user', content }));
    const { body } = await gateway.send<ConversationAccepted>(by, 'POST', '/v1/conversations', {
      body: { user_id, messages },
    });
    const { body: stored } = await gateway.send<Conversation>(
      by,
      'GET',
      `/v1/conversations/${body.conversation_id}?limit=200`,
    );
    return stored.messages.map(({ content }) => content);
  };
  const createTenant = (settings: object) => fixture.createTenant(settings);
  const patchTenant = (id: string, body: object) => fixture.patchTenant(id, body);

  describe('placeholders', () => {
    it('are equal for equal values on every route, and differ for others', async () => {
      const [message] = await say('routes', ['Write to ana@example.com.']);
      const [, ofAna] = ANA.exec(message!)!;
      expect(await remember('routes', 'The user writes to Ana@Example.com.')).toContain(`[email ${ofAna}]`);
      expect(await remember('routes', 'The user writes to ben@example.com.')).not.toContain(ofAna);
      const { memory } = (await add('routes', 'The user reads mail.')).body;
      const patched = await gateway.send<MemoryWritten>(key, 'PATCH', `/v1/memories/${memory.id}`, {
        body: { content: 'The user reads mail of ana@example.com.' },
      });
      expect(patched.body.memory.content).toContain(`[email ${ofAna}]`);
      const context = await gateway.send<UserContext>(key, 'PUT', '/v1/users/routes/context', {
        body: { goals: ['write to ana@example.com'] },
      });
      expect(JSON.stringify(context.body)).toContain(`[email ${ofAna}]`);
      const made = await gateway.send<ApiKey>(key, 'POST', '/v1/admin/keys', {
        body: { name: 'key of ana@example.com', scopes: ['query'] },
      });
      expect(made.body.name).toBe(`key of [email ${ofAna}]`);
    });

    it('differ between tenants', async () => {
      const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('stranger') });
      const content = 'The user writes to ana@example.com.';
      expect(await remember('apart', content, stranger)).not.toBe(await remember('apart', content));
    });
  });

  describe('asking and deleting by value', () => {
    const people = Array.from({ length: 66 }, (_, index) => ({
      address: `person.${index}@example.com`,
      memory: `The user sends invoices for project ${index % 3} to person.${index}@example.com every month.`,
      turn: `Please remember to cc person.${index}@example.com when the report is ready.`,
    }));

    it('meets the right one of 66 addresses each time, in memories and turns', async () => {
      const added = [];
      for (const { memory } of people) added.push(await add('crowd', memory));
      const turns = await say(
        'crowd',
        people.map(({ turn }) => turn),
      );
      expect(added.map(({ status }) => status)).toEqual(people.map(() => 201));
      const met = [];
      const right = [];
      for (const [index, { address }] of people.entries()) {
        const { id, content } = added[index]!.body.memory;
        const [placeholder] = ANA.exec(turns[index]!)!;
        right.push({ asked: [id], mentioned: new Set([id, placeholder]), contains: true, deleted: 200 });
        const query = `Delete what belongs to ${address}`;
        const asked = await queryMemory({ query, filters: { user_id: 'crowd' }, types: ['semantic'], top_k: 1 });
        const { memories } = await queryMemory({ filters: { user_id: 'crowd', mentions: address }, return: 'full' });
        const deleted = await gateway.send(key, 'DELETE', `/v1/memories/${asked.memories[0]!.id}`);
        met.push({
          asked: asked.memories.map((memory) => memory.id),
          mentioned: new Set(
            memories.map(({ type, id: found, text }) => (type === 'turn' ? ANA.exec(text)?.[0] : found)),
          ),
          contains: content.includes(placeholder),
          deleted: deleted.status,
        });
      }
      expect(met).toEqual(right);
      expect(await list('user_id=crowd')).toEqual([]);
    });

    it('matches the placeholder as well as the value, in whatever form it is written', async () => {
      const content = await remember('forms', 'The user calls +1 415 555 2671 on Mondays.');
      await add('forms', 'The user calls +1 415 555 2672 on Tuesdays.');
      const [placeholder] = /\[phone [0-9a-f]{16}\]/.exec(content)!;
      for (const mentions of ['+1 415 555 2671', '(415) 555-2671', placeholder]) {
        const found = await list(`user_id=forms&mentions=${encodeURIComponent(mentions)}`);
        expect(found.map((memory: Memory) => memory.content)).toEqual([content]);
      }
    });

    it('returns what contains all values of several', async () => {
      const both = await remember('both', 'The user introduced ana@example.com to ben@example.com.');
      await remember('both', 'The user met ana@example.com.');
      const filters = { user_id: 'both', mentions: 'ben@example.com and ana@example.com' };
      const { memories } = await queryMemory({ query: 'Who was introduced?', filters, return: 'full' });
      expect(memories).toMatchObject([{ content: both }]);
    });

    it('has nothing left to meet once the user is erased', async () => {
      const [turn] = await say('erased', ['Please write to gone@example.com.']);
      await remember('erased', 'The user writes to gone@example.com.');
      const [, pseudonym] = ANA.exec(turn!)!;
      expect(await findTablesContaining(gateway, pseudonym!)).toEqual(expect.arrayContaining(['memories', 'messages']));
      expect((await gateway.send(key, 'DELETE', '/v1/users/erased')).status).toBe(200);
      expect(await findTablesContaining(gateway, pseudonym!)).toEqual([]);
    });

    it('refuses a value that is not redacted, naming the field', async () => {
      const asked = await gateway.send(key, 'POST', '/v1/memory/query', {
        body: { filters: { user_id: 'u', mentions: 'Ana' } },
      });
      expect(asked).toMatchObject({ status: 400, body: { errors: [{ path: 'body.filters.mentions' }] } });
      const listed = await gateway.send(key, 'GET', '/v1/memories?mentions=Ana');
      expect(listed).toMatchObject({ status: 400, body: { errors: [{ path: 'query.mentions' }] } });
    });
  });

  describe('the key of the pseudonyms', () => {
    const redactorsWith = (secret: string) =>
      new Redactors(
        gateway.database,
        { redaction: { defaultCountry: 'US', personalIds: 'keep' } },
        { pseudonyms: Buffer.from(secret.padEnd(32, '.')) },
        gateway.infrastructure.clock,
        gateway.infrastructure.logger,
      );

    it('is the same in every process of an installation', async () => {
      const id = await gateway.makeTenant('processes');
      const first = (await redactorsWith('one').of(id)).redact('ana@example.com');
      expect((await redactorsWith('one').of(id)).redact('ana@example.com')).toBe(first);
    });

    it('is refused when it is another than before, instead of making other placeholders unnoticed', async () => {
      const id = await gateway.makeTenant('changed');
      await redactorsWith('one').of(id);
      const changed = redactorsWith('two');
      const redactor = await changed.of(id);
      expect(() => redactor.redact('ana@example.com')).toThrow(/ANNALS_PSEUDONYM_KEY/);
      expect(redactor.redact('nothing personal')).toBe('nothing personal');
      expect(gateway.logged('pseudonym_key_changed')).toEqual([{ tenantId: id }]);
    });

    it('answers 503 over HTTP with another key, until the operator renews the pseudonyms', async () => {
      const { id, key: owner } = await createTenant({});
      await patchTenant(id, { renew_pseudonyms: true });
      const before = (await redactorsWith('one').of(id)).redact('ana@example.com');
      expect(await add('u', 'The user writes to ana@example.com.', owner)).toMatchObject({
        status: 503,
        body: { code: 'unavailable' },
      });
      expect((await add('u', 'The user likes tea.', owner)).status).toBe(201);
      expect(await list('user_id=u', owner)).toHaveLength(1);
      expect((await patchTenant(id, { renew_pseudonyms: true })).status).toBe(200);
      const after = await remember('u', 'The user writes to ana@example.com.', owner);
      expect(after).toMatch(ANA);
      expect(after).not.toContain(before);
    });

    it('is gone with its tenant: another one with the same name and id gets another key', async () => {
      const create = async () => {
        const sent = { body: { name: 'reborn' }, headers: { 'idempotency-key': 'reborn' } };
        return (await gateway.send<TenantCreated>(operator, 'POST', '/v1/operator/tenants', sent)).body;
      };
      const first = await create();
      const before = await remember('u', 'The user writes to ana@example.com.', first.key);
      expect((await gateway.send(operator, 'DELETE', `/v1/operator/tenants/${first.id}`)).status).toBe(200);
      const second = await create();
      expect(second.id).toBe(first.id);
      const after = await remember('u', 'The user writes to ana@example.com.', second.key);
      expect(after).toMatch(ANA);
      expect(after).not.toBe(before);
    });
  });

  describe('its settings', () => {
    it('have a country of their own for national phone numbers', async () => {
      const german = await createTenant({ default_country: 'DE' });
      expect(german).toMatchObject({ default_country: 'DE', personal_ids: null });
      const content = 'The user calls 030 901820 on Mondays.';
      expect(await remember('u', content, german.key)).toMatch(/calls \[phone [0-9a-f]{16}\] on/);
      expect(await remember('country', content)).toBe(content);
      const patched = await patchTenant(german.id, { default_country: null });
      expect(patched).toMatchObject({ status: 200, body: { id: german.id, default_country: null } });
      expect(await remember('u', content, german.key)).toBe(content);
    });

    it('name a country that exists', async () => {
      const refused = await patchTenant(tenantId, { default_country: 'ZZ' });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'body.default_country' }] } });
    });

    it('are changed once for each Idempotency-Key, and not found for an unknown tenant', async () => {
      const { id } = await createTenant({});
      const send = () =>
        gateway.send(operator, 'PATCH', `/v1/operator/tenants/${id}`, {
          body: { personal_ids: 'refuse' },
          headers: { 'idempotency-key': 'once' },
        });
      await send();
      expect((await send()).headers.get('idempotency-replayed')).toBe('true');
      const byKeyId = expect.any(String) as string;
      expect(gateway.logged('tenant_changed').filter((told) => JSON.stringify(told).includes(id))).toEqual([
        { tenantId: id, byKeyId },
      ]);
      expect((await patchTenant('01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e', { personal_ids: null })).status).toBe(404);
    });
  });
});
