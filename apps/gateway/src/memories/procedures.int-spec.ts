import type { MemoryQueryAnswer, MemoryWritten, Problem } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('procedures over HTTP', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    key = await gateway.makeKey({ tenantId: await gateway.makeTenant('procedures') });
  });
  afterAll(() => gateway.close());

  const add = <Body = MemoryWritten>(rest: object) =>
    gateway.send<Body>(key, 'POST', '/v1/memories', {
      body: {
        user_id: 'ada',
        content: 'How to deploy the website',
        category: 'procedural',
        type: 'procedural',
        ...rest,
      },
    });
  const queryMemory = async (rest: object) => {
    const body = { query: 'How do I deploy the website?', filters: { user_id: 'ada' }, ...rest };
    const { body: answer } = await gateway.send<MemoryQueryAnswer>(key, 'POST', '/v1/memory/query', { body });
    return answer.memories.map(({ category }) => category);
  };

  it('stores steps as numbered instructions, redacted', async () => {
    const steps = ['first, you should run the tests', '2. please write to ops@example.com', 'Push the tag.'];
    const { status, body } = await add({ steps });
    expect(status).toBe(201);
    expect(body.memory).toMatchObject({ type: 'procedural', category: 'procedural' });
    expect(body.memory.content.split('\n')).toEqual([
      'How to deploy the website:',
      '1. Run the tests.',
      expect.stringMatching(/^2\. Write to \[email [0-9a-f]{16}\]\.$/),
      '3. Push the tag.',
    ]);
  });

  it('returns them only to requests that name their category', async () => {
    await add({ steps: ['Run the tests.'], content: 'How to deploy the website again' });
    expect(await queryMemory({})).not.toContain('procedural');
    expect(await queryMemory({ categories: ['procedural'] })).toContain('procedural');
  });

  it.each([
    ['no steps', {}, 'body.steps'],
    ['another category', { steps: ['Run.'], category: 'profile' }, 'body.category'],
    ['another type', { type: 'semantic' }, 'body.type'],
    ['steps of what is none', { type: 'semantic', category: 'profile', steps: ['Run.'] }, 'body.steps'],
    ['an endless title', { steps: ['Run.'], content: 'x'.repeat(161) }, 'body.content'],
    ['endless steps', { steps: Array.from({ length: 20 }, () => 'x'.repeat(200)) }, 'body.steps'],
  ])('refuses %s', async (_what, rest, path) => {
    expect(await add<Problem>(rest)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('allows no other memory in their category, and no procedure in another', async () => {
    const { body: procedure } = await add({ steps: ['Sleep.'], content: 'How to rest' });
    const { body: fact } = await add({ type: 'semantic', category: 'profile', content: 'Ada rests often.' });
    const move = (id: string, category: string) =>
      gateway.send(key, 'PATCH', `/v1/memories/${id}`, { body: { category } });
    for (const moved of [await move(procedure.memory.id, 'profile'), await move(fact.memory.id, 'procedural')]) {
      expect(moved).toMatchObject({ status: 400, body: { errors: [{ path: 'body.category' }] } });
    }
  });
});
