import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiClient,
  type DistributedSystem,
  isSoak,
  LoadGenerator,
  startOnServices,
  waitUntilDone,
} from '@annals/testing';
import { find, type Service, SERVICES } from './objects.fixture.ts';
import { renderings } from './render.fixture.ts';

/** Of Linux, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;
const MIB = 2 ** 20;
const PERIOD_MS = 60_000;

interface Footprint {
  /** Resident memory now, and the highest since the start. */
  readonly memory: number;
  readonly peak: number;
  readonly cpuSeconds: number;
}

function readFootprint(pid: number): Footprint {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1024;
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return {
    memory: kib('VmRSS'),
    peak: kib('VmHWM'),
    cpuSeconds: (Number(user) + Number(system)) / TICKS_PER_SECOND,
  };
}

/** Requests and limits of a service, in MiB and thousandths of a core. */
function readResources(service: Service) {
  const { production } = renderings('production');
  const { resources } = find(production, 'Deployment', `annals-${service}`).spec.template.spec.containers[0];
  const [cpu, memory, limit] = [resources.requests.cpu, resources.requests.memory, resources.limits.memory];
  return {
    cpu: Number.parseInt(cpu as string),
    memory: Number.parseInt(memory as string),
    limit: toMib(limit as string),
  };
}

function toMib(quantity: string): number {
  return Number.parseInt(quantity) * (quantity.endsWith('Gi') ? 1024 : 1);
}

// Two minutes: requests and limits are checked in the soak lane, with the figures that docs/kubernetes.md cites.
const itInSoak = isSoak ? it : () => undefined;

describe('requests and limits', () => {
  let system: DistributedSystem | undefined;
  afterAll(() => system?.close());

  const measure = () =>
    Object.fromEntries(SERVICES.map((name) => [name, readFootprint(system!.processesOf(name)[0]!.pid!)])) as Record<
      Service,
      Footprint
    >;

  it('are those that the documentation states', () => {
    const docs = readFileSync(path.resolve(import.meta.dirname, '../../../docs/kubernetes.md'), 'utf8');
    for (const service of SERVICES) {
      const { cpu, memory, limit } = readResources(service);
      const [, request, highest] = new RegExp(`^\\| ${service} +\\|.*\\| (\\S+ \\S+) +\\| (\\S+) +\\|$`, 'm').exec(
        docs,
      )!;
      expect([service, request, highest]).toEqual([service, `${memory}Mi, ${cpu}m`, `${limit}Mi`]);
    }
  });

  itInSoak('hold what a process of each service takes when idle and under load', async () => {
    // Bundles, as in the images, and minds as they are by default.
    process.env['ANNALS_TEST_BUNDLES'] = 'true';
    system = await startOnServices({
      minds: 1,
      env: { ANNALS_MINDS: 'on', ANNALS_MINDS_BUSY_PERCENT: '10', ANNALS_MINDS_NICE: '10' },
    });
    const started = measure();
    await sleep(PERIOD_MS);
    const idle = measure();
    const client = new ApiClient(() => system!.nextUrl(), system.tenantKey);
    const load = new LoadGenerator(client, { seed: 1, callers: 8, users: 200, pauseMs: 20 });
    await sleep(PERIOD_MS);
    const busy = measure();
    const { batchIds } = await load.stop();
    await waitUntilDone(client, batchIds, { explain: () => system!.lastLines });
    const perSecond = (1000 * batchIds.length) / PERIOD_MS;
    process.stdout.write(`${perSecond.toFixed(0)} conversations a second\n`);
    for (const service of SERVICES) {
      const cores = (from: Footprint, to: Footprint) => ((to.cpuSeconds - from.cpuSeconds) * 1e6) / PERIOD_MS;
      const figures = {
        idleMib: Math.round(idle[service].memory / MIB),
        busyMib: Math.round(busy[service].memory / MIB),
        peakMib: Math.round(busy[service].peak / MIB),
        idleMillicores: Math.round(cores(started[service], idle[service])),
        busyMillicores: Math.round(cores(idle[service], busy[service])),
      };
      process.stdout.write(`${service}: ${JSON.stringify(figures)}\n`);
      const { cpu, memory, limit } = readResources(service);
      expect([service, figures.idleMib <= memory]).toEqual([service, true]);
      expect([service, figures.idleMillicores <= cpu]).toEqual([service, true]);
      expect([service, figures.peakMib <= limit]).toEqual([service, true]);
    }
  });
});
