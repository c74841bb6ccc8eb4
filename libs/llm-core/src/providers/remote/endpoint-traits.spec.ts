import { EndpointTraits, findEndpointTraits } from './endpoint-traits.js';
import type { Refusal, RequestPlan } from './endpoint-traits.js';

const MODES = ['schema', 'json_object', 'text'] as const;
const signal = new AbortController().signal;

class Refused extends Error {
  constructor(readonly refusal: Refusal | undefined) {
    super('refused');
  }
}

function readRefusal(error: unknown): Refusal | undefined {
  return error instanceof Refused ? error.refusal : undefined;
}

/** An endpoint that takes the given mode only and refuses some parameters. */
function makeEndpoint({ mode = 'schema', refuses = [] }: { mode?: string; refuses?: string[] }) {
  const plans: RequestPlan[] = [];
  const answer = async (plan: RequestPlan): Promise<string> => {
    plans.push(plan);
    const parameter = refuses.find((name) => !plan.refused.has(name));
    if (parameter) throw new Refused({ kind: 'parameter', parameter });
    if (plan.mode !== mode) throw new Refused({ kind: 'mode' });
    return plan.mode;
  };
  return { plans, answer };
}

describe('EndpointTraits', () => {
  it('knows nothing until an answer came', async () => {
    const traits = new EndpointTraits(MODES);
    expect(traits.mode).toBe('unknown');
    await traits.send(makeEndpoint({}).answer, readRefusal, signal);
    expect(traits.mode).toBe('schema');
  });

  it('steps down to what the endpoint takes within one send, and starts there the next time', async () => {
    const traits = new EndpointTraits(MODES);
    const endpoint = makeEndpoint({ mode: 'text', refuses: ['store', 'stream_options'] });
    expect(await traits.send(endpoint.answer, readRefusal, signal)).toBe('text');
    expect(endpoint.plans).toHaveLength(5);
    expect(await traits.send(endpoint.answer, readRefusal, signal)).toBe('text');
    expect(endpoint.plans).toHaveLength(6);
    expect(traits.mode).toBe('text');
  });

  it('gives up when nothing is left to give up', async () => {
    const traits = new EndpointTraits(MODES);
    const { plans, answer } = makeEndpoint({ mode: 'none' });
    await expect(traits.send(answer, readRefusal, signal)).rejects.toThrow('refused');
    expect(plans.map(({ mode }) => mode)).toEqual(['schema', 'json_object', 'text']);
    const stubborn = async () => {
      throw new Refused({ kind: 'parameter', parameter: 'store' });
    };
    await expect(traits.send(stubborn, readRefusal, signal)).rejects.toThrow('refused');
  });

  it('passes on what teaches nothing, once', async () => {
    const traits = new EndpointTraits(MODES);
    let calls = 0;
    const failing = async () => {
      calls += 1;
      throw new Refused(undefined);
    };
    await expect(traits.send(failing, readRefusal, signal)).rejects.toThrow('refused');
    expect([calls, traits.mode]).toEqual([1, 'unknown']);
  });

  it('lets one call find out for all that start beside it', async () => {
    const traits = new EndpointTraits(MODES);
    const { plans, answer } = makeEndpoint({ mode: 'json_object' });
    const answers = await Promise.all([1, 2, 3].map(() => traits.send(answer, readRefusal, signal)));
    expect(answers).toEqual(['json_object', 'json_object', 'json_object']);
    expect(plans.map(({ mode }) => mode)).toEqual(['schema', 'json_object', 'json_object', 'json_object']);
  });

  it('steps down once for calls that are refused together', async () => {
    const traits = new EndpointTraits(MODES);
    const { answer } = makeEndpoint({ mode: 'schema' });
    await traits.send(answer, readRefusal, signal);
    const changed = makeEndpoint({ mode: 'json_object' });
    const answers = await Promise.all([1, 2, 3].map(() => traits.send(changed.answer, readRefusal, signal)));
    expect(answers).toEqual(['json_object', 'json_object', 'json_object']);
  });

  it('stops waiting for another call when it is aborted', async () => {
    const traits = new EndpointTraits(MODES);
    const { promise: hanging, resolve } = Promise.withResolvers<string>();
    const first = traits.send(() => hanging, readRefusal, signal);
    const controller = new AbortController();
    const second = traits.send(async () => 'sent', readRefusal, controller.signal);
    controller.abort();
    expect(await second).toBe('sent');
    resolve('late');
    expect(await first).toBe('late');
  });

  it('is shared by base URL and model', () => {
    const traits = findEndpointTraits('http://a/v1', 'm', MODES);
    expect(findEndpointTraits('http://a/v1', 'm', MODES)).toBe(traits);
    expect(findEndpointTraits('http://b/v1', 'm', MODES)).not.toBe(traits);
    expect(findEndpointTraits('http://a/v1', 'n', MODES)).not.toBe(traits);
  });
});
