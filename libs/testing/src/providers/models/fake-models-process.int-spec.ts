import { FakeModelsProcess } from './fake-models-process.js';

describe('fake models in a process of their own', () => {
  it('are controlled and inspected over HTTP', async () => {
    const fake = await FakeModelsProcess.start({ embeddingDimensions: 4 });
    try {
      await fake.plan({ kind: 'error', status: 529 });
      await fake.planFor('models', { kind: 'error', status: 403 });
      const send = async (path: string, body?: object): Promise<number> => {
        const headers = { authorization: 'Bearer k' };
        const how = body ? { method: 'POST', body: JSON.stringify(body) } : {};
        return (await fetch(`${fake.openaiUrl}${path}`, { headers, ...how })).status;
      };
      const chat = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'mark-x' }] };
      expect([await send('/chat/completions', chat), await send('/models'), await send('/models')]).toEqual([
        529, 403, 200,
      ]);
      await fake.misbehave({ rate: 1, seed: 1, kinds: ['unavailable'] });
      expect(await send('/chat/completions', chat)).toBe(503);
      await fake.configure({ isCompatible: true });
      await fake.misbehave(undefined);
      expect(await send('/chat/completions', { ...chat, max_tokens: 9 })).toBe(200);
      expect(await fake.summarize()).toMatchObject({
        calls: { generate: 3, models: 2 },
        statuses: { 200: 1, 503: 1, 529: 1 },
        callsByMark: { 'mark-x': 3 },
      });
      expect(await fake.listEntries(4)).toMatchObject([{ status: 200, request: { model: 'gpt-6-luna' } }]);
      const charges = await fake.listCharges();
      expect(charges.map(({ api, marks, costNanoUsd }) => [api, marks, costNanoUsd > 0])).toEqual([
        ['openai', ['mark-x'], false],
        ['openai', ['mark-x'], false],
        ['openai', ['mark-x'], true],
      ]);
      await fake.outage(true);
      await expect(send('/models')).rejects.toThrow('fetch failed');
      await fake.outage(false);
      await fake.clear();
      expect((await fake.summarize()).calls).toEqual({});
    } finally {
      await fake.stop();
    }
  });
});
