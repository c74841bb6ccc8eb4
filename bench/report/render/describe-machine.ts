import type { RunDescription } from '../describe-run.ts';

/** Where the results of a part are from, in a sentence. */
export function describeMachine({ startedAt, commit, machine, versions }: RunDescription): string {
  const { cpu, cores, memoryGb, node, load1m } = machine;
  return (
    `Measured on ${startedAt.slice(0, 10)} at ${startedAt.slice(11, 16)} UTC at commit ${commit}, on ${cores} cores (${cpu}) with ` +
    `${memoryGb} GB of memory, with Node.js ${node}, PostgreSQL ${versions.postgresql}, pgvector ${versions.pgvector} and ` +
    `${versions.redis}. Load of the machine before: ${load1m}${load1m > cores ? ', so other programs used the same cores, and times are longer than on a machine of its own' : ''}.`
  );
}
