import { ManualClock } from '@annals/domain';
import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { connectClaude, connectOpenAI, NOW, TIMEOUT_MS, useServers } from './connect.fixture.js';

const start = useServers();
const CONNECT = { claude: connectClaude, openai: connectOpenAI };
const NAMES = ['claude', 'openai'] as const;
const WAYS = ['send', 'stream'] as const;
const POSITIONS = ['start', 'middle'] as const;
const CASES = NAMES.flatMap((name) => WAYS.flatMap((way) => POSITIONS.map((at) => [name, way, at] as const)));

describe.each(CASES)('an answer of %s to %s that trickles without an end from the %s', (name, way, at) => {
  it('is a timeout once its time is over, is charged, and its connection is closed', async () => {
    const server = await start();
    const clock = new ManualClock(NOW);
    const provider = CONNECT[name](server, { clock });
    // Once the capabilities of the endpoint are known, one request is sent.
    await provider.send(sampleRequest());
    server.journal.clear();
    server.plan({ kind: 'answer', broken: { at, how: 'trickle' } });
    let hasEnded = false;
    const request = sampleRequest();
    const ending = (way === 'send' ? provider.send(request) : provider.stream(request, { onText: () => {} }))
      .catch((error: unknown) => error)
      .finally(() => (hasEnded = true));
    const trickle = async (more: number) => {
      const until = (server.journal.entries[0]?.trickles ?? 0) + more;
      await server.journal.waitFor(([entry]) => entry !== undefined && entry.trickles >= until);
    };
    await trickle(5);
    clock.advance(TIMEOUT_MS - 1);
    await trickle(5);
    expect(hasEnded).toBe(false);
    expect(server.journal.entries).toMatchObject([{ ending: 'open' }]);
    clock.advance(1);
    const error = await ending;
    expect(error).toMatchObject({ name: 'LLMError', type: 'timeout', provider: name, usage: { estimated: true } });
    expect((error as { costMicroUsd: number }).costMicroUsd).toBeGreaterThan(0);
    await server.journal.waitFor(([entry]) => entry!.ending === 'left');
    expect(server.journal.entries).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});
