import { readFileSync } from 'node:fs';
import { type CallFrame, IDLE, partOf, ROOT_PART } from './parts.ts';

/** A `.cpuprofile` of V8. Times in µs. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  /** On the monotonic clock of the machine, which `process.hrtime` reads in every process. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A time on the monotonic clock, in µs. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

/**
 * Time of each part of a process in which it was not idle, in µs of the clock: on a busy machine longer than its CPU, so
 * only the shares count. `spans`: only what lies in one of these; undefined: all.
 */
export function readPartTimes(file: string, spans: readonly TimeSpan[] | undefined): Map<string, number> {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const parts = assignParts(profile);
  const times = new Map<string, number>();
  let now = profile.startTime;
  profile.samples.forEach((id, index) => {
    const duration = profile.timeDeltas[index]!;
    now += duration;
    if (spans && !spans.some(({ fromUs, toUs }) => now >= fromUs && now <= toUs)) return;
    const part = parts.get(id)!;
    times.set(part, (times.get(part) ?? 0) + duration);
  });
  times.delete(IDLE);
  return times;
}

function assignParts({ nodes }: CpuProfile): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const left: (readonly [id: number, caller: string])[] = [[nodes[0]!.id, ROOT_PART]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [id, caller] = next;
    const node = byId.get(id)!;
    const part = partOf(node.callFrame, caller);
    parts.set(id, part);
    for (const child of node.children ?? []) left.push([child, part]);
  }
  return parts;
}
