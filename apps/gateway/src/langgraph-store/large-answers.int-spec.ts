import type { LangGraphStoreResults, Problem } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const PATH = '/v1/langgraph/store/batch';

type Operation = Readonly<Record<string, unknown>>;

const put = (namespace: readonly string[], key: string, value: object): Operation => ({
  op: 'put',
  namespace,
  key,
  value,
});
const search = (more: object = {}): Operation => ({ op: 'search', namespace_prefix: [], ...more });

/** Apart from the others, for the memory that it takes. */
describe("answers of LangGraph's store that are too large", () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { ANNALS_BODY_LIMIT_BYTES: '20000000', ANNALS_RATE_LIMIT_BYTES: '900000000' },
    });
    key = await gateway.makeKey({ tenantId: await gateway.makeTenant('large') });
  });
  afterAll(() => gateway.close());

  const post = (operations: readonly Operation[], user: string) =>
    gateway.send<LangGraphStoreResults & Problem>(key, 'POST', PATH, { body: { user_id: user, operations } });

  it('are refused when many tiny items with long places make them so', async () => {
    const namespace = ['é'.repeat(100), ...Array.from({ length: 3 }, () => 'x'.repeat(190))];
    const puts = Array.from({ length: 200 }, (_, n) => put([...namespace, `${n}`], 'k'.repeat(500), {}));
    expect((await post(puts, 'tiny')).status).toBe(200);
    const searches = Array.from({ length: 100 }, () => search({ limit: 1_000 }));
    expect((await post(searches, 'tiny')).body.code).toBe('store_answer_too_large');
    const lists = Array.from({ length: 120 }, () => ({ op: 'list_namespaces', limit: 1_000 }));
    expect((await post(lists, 'tiny')).body.code).toBe('store_answer_too_large');
    expect((await post([search({ limit: 1_000 })], 'tiny')).body.results).toMatchObject([{ items: { length: 200 } }]);
  });

  it('are refused with the operation at which they become so, as is a value that is too large', async () => {
    expect(await post([put(['a'], 'k', { t: 'x'.repeat(1_000_000) })], 'large')).toMatchObject({
      status: 413,
      body: { code: 'item_too_large', errors: [{ path: 'body.operations[0].value' }] },
    });
    const items = Array.from({ length: 17 }, (_, n) => put(['a'], `k${n}`, { t: 'x'.repeat(950_000) }));
    expect((await post(items, 'large')).status).toBe(200);
    const get = { op: 'get', namespace: ['a'], key: 'k0' };
    expect(await post([get, search({ limit: 100 })], 'large')).toMatchObject({
      status: 422,
      body: { code: 'store_answer_too_large', errors: [{ path: 'body.operations[1]' }] },
    });
    expect((await post([search({ limit: 10 })], 'large')).status).toBe(200);
  });
});
