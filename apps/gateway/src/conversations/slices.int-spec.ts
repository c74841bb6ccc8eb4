import { MAX_SLICE_UNITS, type Pause } from '@annals/domain';
import { HOSTILE_TEXTS } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

/** The longest message that is accepted. */
const LONGEST = 100_000;
const MESSAGES = 10;

describe('requests of other tenants during a hostile one', () => {
  let gateway: TestGateway;
  /** What a pause waits for; a spec sets it. */
  let duringPause: Pause = () => Promise.resolve();
  beforeAll(async () => {
    gateway = await startGateway({ pause: () => duringPause() });
  });
  afterAll(() => gateway.close());

  const makeTenantKey = async (name: string) => gateway.makeKey({ tenantId: await gateway.makeTenant(name) });

  it('are answered while its messages are redacted', async () => {
    const [hostile, other] = [await makeTenantKey('hostile'), await makeTenantKey('other')];
    const answered: string[] = [];
    let pauses = 0;
    // Each pause lets one request of the other tenant through from its first byte to its answer.
    duringPause = async () => {
      pauses += 1;
      const messages = [{ role: 'user', content: `Small message ${pauses}.` }];
      const small = await gateway.send(other, 'POST', '/v1/conversations', { body: { user_id: 'u', messages } });
      answered.push(`small ${small.status}`);
    };
    const content = HOSTILE_TEXTS.find(({ name }) => name === 'digits in blocks of four')!.make(LONGEST);
    const messages = Array.from({ length: MESSAGES }, () => ({ role: 'user', content }));
    const large = await gateway.send(hostile, 'POST', '/v1/conversations', { body: { user_id: 'u', messages } });
    answered.push(`hostile ${large.status}`);
    expect(pauses).toBeGreaterThanOrEqual(Math.floor((MESSAGES * LONGEST) / MAX_SLICE_UNITS));
    expect(answered).toEqual([...Array.from({ length: pauses }, () => 'small 202'), 'hostile 202']);
  });

  it('are answered while a query selects among long turns', async () => {
    const [hostile, other] = [await makeTenantKey('hostile query'), await makeTenantKey('other query')];
    duringPause = () => Promise.resolve();
    const messages = Array.from({ length: MESSAGES }, (_, index) => ({
      role: 'user',
      content: `Tea ${index}. ${'word tea '.repeat(2_000)}`,
    }));
    await gateway.send(hostile, 'POST', '/v1/conversations', { body: { user_id: 'u', messages } });
    const answered: string[] = [];
    duringPause = async () => {
      answered.push(`small ${(await gateway.send(other, 'GET', '/v1/memories')).status}`);
    };
    const body = { query: 'What about tea?', filters: { user_id: 'u' } };
    const found = await gateway.send<{ memories: unknown[] }>(hostile, 'POST', '/v1/memory/query', { body });
    answered.push(`hostile ${found.status}`);
    expect(found.body.memories.length).toBeGreaterThan(0);
    expect(answered.length).toBeGreaterThan(MESSAGES);
    expect(new Set(answered.slice(0, -1))).toEqual(new Set(['small 200']));
    expect(answered.at(-1)).toBe('hostile 200');
  });
});
