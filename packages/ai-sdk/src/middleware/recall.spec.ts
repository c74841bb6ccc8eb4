import { found, type ScriptedAnnals, scriptAnnals, silence } from '../fixtures/scripted-annals.fixture.js';
import { Recall } from './recall.js';

const OPTIONS = { user: 'mara', thread: 't-1' };
const TURN = { id: 'ai-1', query: 'How is it?', isFirstStep: true };

describe('Recall', () => {
  let server: ScriptedAnnals;
  beforeEach(() => {
    server = scriptAnnals();
  });

  it.each([
    ['fails', () => Promise.reject(new TypeError('fetch failed')), {}],
    ['is too slow', silence, { timeoutMs: 1 }],
  ])('asks a memory that %s again when the user tries again, but not in the loop', async (_how, reply, limits) => {
    server.answerQuery(reply);
    const recall = new Recall(server.annals, { ...OPTIONS, ...limits });
    const together = [recall.forTurn(TURN, undefined), recall.forTurn(TURN, undefined)];
    for (const { recalled } of await Promise.all(together)) expect(recalled.block).toBeUndefined();
    await recall.forTurn({ ...TURN, isFirstStep: false }, undefined);
    expect(server.queries()).toHaveLength(1);
    server.answerQuery(found(['[profile] The user lives in Lisbon.']));
    expect(await recall.forTurn(TURN, undefined)).toMatchObject({ recalled: { status: 'recalled' } });
    await recall.forTurn(TURN, undefined);
    expect(server.queries()).toHaveLength(2);
  });

  it.each([TURN.id, 'ai-2'])('recalls for a call although one left whose answer it shares: of turn %s', async (id) => {
    server.answerQuery(silence);
    const recall = new Recall(server.annals, { ...OPTIONS, profile: true });
    const stop = new AbortController();
    const left = recall.forTurn(TURN, stop.signal);
    const staying = recall.forTurn({ ...TURN, id }, new AbortController().signal);
    stop.abort();
    server.answerQuery(found(['[profile] The user lives in Lisbon.']));
    expect(await left).toMatchObject({ recalled: { status: 'aborted' } });
    if (id === TURN.id) expect(await staying).toMatchObject({ recalled: { status: 'recalled' } });
    expect(await staying).toMatchObject({ profile: { status: 'recalled' } });
  });

  it('asks no more for a call that left as well', async () => {
    server.answerQuery(silence);
    const recall = new Recall(server.annals, { ...OPTIONS, profile: true });
    const stop = new AbortController();
    const calls = [TURN, TURN, { ...TURN, id: 'ai-2' }].map((turn) => recall.forTurn(turn, stop.signal));
    stop.abort();
    for (const memory of await Promise.all(calls))
      expect(memory).toMatchObject({ recalled: { status: 'aborted' }, profile: { status: 'aborted' } });
  });
});
