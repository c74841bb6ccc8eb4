import {
  type AnnalsProcess,
  type Behaviour,
  type FakeModelsProcess,
  type PrivateServer,
  type PrivateServersSystem,
} from '@annals/testing';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from './faults.ts';
import type { PlannedFault } from './schedule.ts';

const MODEL_FAULTS: Readonly<Record<string, Behaviour>> = {
  'model-500': { kind: 'error', status: 500 },
  'model-429': { kind: 'error', status: 429, hint: { kind: 'seconds', seconds: 2 } },
  'model-hang': { kind: 'hang' },
  'model-garbage': { kind: 'garbage' },
  'model-cut': { kind: 'answer', broken: { at: 'middle', how: 'reset' } },
  'model-reset': { kind: 'reset' },
};

export interface Victims {
  readonly system: PrivateServersSystem;
  readonly models: FakeModelsProcess;
}

/** Causes a fault and ends it; resolves once everything runs again. */
export async function injectFault({ system, models }: Victims, fault: PlannedFault): Promise<void> {
  const { name, durationMs } = fault;
  const behaviour = MODEL_FAULTS[name];
  if (behaviour) {
    await models.outage(behaviour);
    await sleep(durationMs);
    return models.outage(false);
  }
  switch (name) {
    case 'postgres-restart':
      return system.postgres.restart();
    case 'postgres-kill':
      return kill(system.postgres, durationMs);
    case 'postgres-pause':
      return pause(system.postgres, durationMs);
    case 'redis-kill':
      return kill(system.redis, durationMs);
    case 'redis-pause':
      return pause(system.redis, durationMs);
    case 'redis-flush':
      return flush(system.redis);
    default:
      return injectIntoService(chooseProcess(system, fault), fault);
  }
}

async function injectIntoService(victim: AnnalsProcess, { name, durationMs }: PlannedFault): Promise<void> {
  if (name.startsWith('kill ')) await victim.kill9();
  else await victim.stop();
  await sleep(durationMs);
  await victim.start();
}

function chooseProcess(system: PrivateServersSystem, { name, choice }: PlannedFault): AnnalsProcess {
  const service = SERVICES.find((each) => name.endsWith(` ${each}`));
  if (!service) throw new Error(`The fault ${name} is of no service.`);
  const processes = system.processesOf(service);
  return processes[Math.floor(choice * processes.length)]!;
}

async function kill(server: PrivateServer, durationMs: number): Promise<void> {
  await server.kill9();
  await sleep(durationMs);
  await server.restart();
}

async function pause(server: PrivateServer, durationMs: number): Promise<void> {
  await server.pause();
  await sleep(durationMs);
  await server.resume();
}

async function flush({ url }: PrivateServer): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}
