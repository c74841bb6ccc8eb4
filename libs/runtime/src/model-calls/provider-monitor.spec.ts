import { ManualClock, SeededRng } from '@annals/domain';
import type { LLMProvider, ProviderInspection } from '@annals/llm-core';
import type { Logger, Metrics } from '@annals/observability';
import { ProviderMonitor } from './provider-monitor.js';

const FINE: ProviderInspection = { usable: true, reachable: true, authenticated: true, modelKnown: true };
const LOCKED: ProviderInspection = { ...FINE, usable: false, authenticated: false, problem: 'Correct the key.' };

describe('ProviderMonitor', () => {
  let clock: ManualClock;
  let events: [string, Record<string, unknown>][];
  let up: number[];
  let monitor: ProviderMonitor;
  let found: ProviderInspection;
  let inspections: number;

  const provider = (remote: boolean): LLMProvider => {
    const inspect = async () => {
      inspections += 1;
      return found;
    };
    const capabilities = { remote } as ReturnType<LLMProvider['getCapabilities']>;
    return { name: 'claude', model: 'haiku', inspect, getCapabilities: () => capabilities } as unknown as LLMProvider;
  };

  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    events = [];
    up = [];
    inspections = 0;
    found = FINE;
    const note = (event: string, fields: Record<string, unknown>) => void events.push([event, fields]);
    monitor = new ProviderMonitor({
      clock,
      rng: new SeededRng(1),
      logger: { info: note, warn: note } as unknown as Logger,
      metrics: { set: (_name: string, value: number) => void up.push(value) } as unknown as Metrics,
    });
  });
  afterEach(() => monitor.stop());

  it('logs each change once, with what to do', async () => {
    monitor.watch(provider(true));
    expect(monitor.statuses).toMatchObject([{ provider: 'claude', model: 'haiku', usable: undefined }]);
    for (found of [FINE, LOCKED, LOCKED, FINE]) {
      clock.advance(60_000);
      await monitor.check();
    }
    expect(events.map(([event, { usable, problem }]) => [event, usable, problem])).toEqual([
      ['provider_health_change', false, 'Correct the key.'],
      ['provider_health_change', true, undefined],
    ]);
    expect(up).toEqual([1, 0, 0, 1]);
  });

  it('logs a provider that is unusable from the start', async () => {
    found = LOCKED;
    monitor.watch(provider(true));
    await monitor.check();
    expect(events).toMatchObject([['provider_health_change', { usable: false }]]);
    expect(monitor.statuses).toMatchObject([{ usable: false, problem: 'Correct the key.', seenAt: 1_000_000 }]);
  });

  it('does not inspect a provider that answered within the last minute', async () => {
    monitor.watch(provider(true));
    monitor.recordAnswer('claude', 'haiku');
    clock.advance(59_999);
    await monitor.check();
    expect(inspections).toBe(0);
    clock.advance(1);
    await monitor.check();
    expect(inspections).toBe(1);
  });

  it('marks a provider as usable after an answered call', async () => {
    found = LOCKED;
    monitor.watch(provider(true));
    await monitor.check();
    monitor.recordAnswer('claude', 'another model');
    expect(monitor.statuses).toMatchObject([{ usable: false }]);
    monitor.recordAnswer('claude', 'haiku');
    expect(monitor.statuses).toMatchObject([{ usable: true, problem: undefined }]);
  });

  it('does not watch providers inside the process', () => {
    monitor.watch(provider(false));
    expect(monitor.statuses).toEqual([]);
  });
});
