import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { BreakerAdmission, BreakerPolicy, CallOutcome, CircuitTransition } from '../port/circuit-breaker.js';

const script = path.resolve(import.meta.dirname, 'probing-process.mjs');

/** A process of the fleet that calls the breaker on command. */
export interface FleetProcess {
  /** One concurrent call for each of `times`. */
  acquire(circuit: string, times: readonly number[]): Promise<BreakerAdmission[]>;
  report(circuit: string, reservation: string, outcome: CallOutcome, now: number): Promise<CircuitTransition | null>;
  kill9(): Promise<void>;
}

export async function startFleetProcess(options: {
  readonly redis: string;
  readonly keyPrefix: string;
  readonly breakerPolicy: BreakerPolicy;
}): Promise<FleetProcess> {
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done) throw new Error('A process of the fleet exited before it responded.');
    return JSON.parse(line.value) as unknown;
  };
  const send = async <T>(request: object): Promise<T> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return (await read()) as T;
  };
  await read();
  return {
    acquire: (circuit, times) => send({ acquire: { circuit, times } }),
    report: (circuit, reservation, outcome, now) => send({ report: { circuit, reservation, outcome, now } }),
    kill9: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
