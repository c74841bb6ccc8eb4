import {
  EndpointCapabilities,
  getEndpointCapabilities,
  type Rejection,
  type RequestPlan,
} from './endpoint-capabilities.js';

const MODES = ['schema', 'json_object', 'text'] as const;
const signal = new AbortController().signal;

class Rejected extends Error {
  constructor(readonly rejection: Rejection | undefined) {
    super('rejected');
  }
}

function parseRejection(error: unknown): Rejection | undefined {
  return error instanceof Rejected ? error.rejection : undefined;
}

/** A fake endpoint that accepts only the given mode and rejects some parameters. */
function makeEndpoint({ mode = 'schema', refuses = [] }: { mode?: string; refuses?: string[] }) {
  const plans: RequestPlan[] = [];
  const answer = async (plan: RequestPlan): Promise<string> => {
    plans.push(plan);
    const parameter = refuses.find((name) => !plan.rejected.has(name));
    if (parameter) throw new Rejected({ kind: 'parameter', parameter });
    if (plan.mode !== mode) throw new Rejected({ kind: 'mode' });
    return plan.mode;
  };
  return { plans, answer };
}

describe('EndpointCapabilities', () => {
  it('has an unknown mode until the first response', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    expect(capabilities.mode).toBe('unknown');
    await capabilities.send(makeEndpoint({}).answer, parseRejection, signal);
    expect(capabilities.mode).toBe('schema');
  });

  it('adapts to the endpoint within one send, and starts from there the next time', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    const endpoint = makeEndpoint({ mode: 'text', refuses: ['store', 'stream_options'] });
    expect(await capabilities.send(endpoint.answer, parseRejection, signal)).toBe('text');
    expect(endpoint.plans).toHaveLength(5);
    expect(await capabilities.send(endpoint.answer, parseRejection, signal)).toBe('text');
    expect(endpoint.plans).toHaveLength(6);
    expect(capabilities.mode).toBe('text');
  });

  it('rejects when nothing is left to omit', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    const { plans, answer } = makeEndpoint({ mode: 'none' });
    await expect(capabilities.send(answer, parseRejection, signal)).rejects.toThrow('rejected');
    expect(plans.map(({ mode }) => mode)).toEqual(['schema', 'json_object', 'text']);
    const alwaysRejecting = async () => {
      throw new Rejected({ kind: 'parameter', parameter: 'store' });
    };
    await expect(capabilities.send(alwaysRejecting, parseRejection, signal)).rejects.toThrow('rejected');
  });

  it('passes on errors that are not rejections, without a retry', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    let calls = 0;
    const failing = async () => {
      calls += 1;
      throw new Rejected(undefined);
    };
    await expect(capabilities.send(failing, parseRejection, signal)).rejects.toThrow('rejected');
    expect([calls, capabilities.mode]).toEqual([1, 'unknown']);
  });

  it('lets concurrent calls wait for the discovery of the first one', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    const { plans, answer } = makeEndpoint({ mode: 'json_object' });
    const answers = await Promise.all([1, 2, 3].map(() => capabilities.send(answer, parseRejection, signal)));
    expect(answers).toEqual(['json_object', 'json_object', 'json_object']);
    expect(plans.map(({ mode }) => mode)).toEqual(['schema', 'json_object', 'json_object', 'json_object']);
  });

  it('lowers the mode once for calls that are rejected together', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    const { answer } = makeEndpoint({ mode: 'schema' });
    await capabilities.send(answer, parseRejection, signal);
    const changed = makeEndpoint({ mode: 'json_object' });
    const answers = await Promise.all([1, 2, 3].map(() => capabilities.send(changed.answer, parseRejection, signal)));
    expect(answers).toEqual(['json_object', 'json_object', 'json_object']);
  });

  it('stops waiting for another call when it is aborted', async () => {
    const capabilities = new EndpointCapabilities(MODES);
    const { promise: hanging, resolve } = Promise.withResolvers<string>();
    const first = capabilities.send(() => hanging, parseRejection, signal);
    const controller = new AbortController();
    const second = capabilities.send(async () => 'sent', parseRejection, controller.signal);
    controller.abort();
    expect(await second).toBe('sent');
    resolve('late');
    expect(await first).toBe('late');
  });

  it('is shared by base URL and model', () => {
    const capabilities = getEndpointCapabilities('http://a/v1', 'm', MODES);
    expect(getEndpointCapabilities('http://a/v1', 'm', MODES)).toBe(capabilities);
    expect(getEndpointCapabilities('http://b/v1', 'm', MODES)).not.toBe(capabilities);
    expect(getEndpointCapabilities('http://a/v1', 'n', MODES)).not.toBe(capabilities);
  });
});
