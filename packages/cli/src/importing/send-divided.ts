import type { ImportedMemory, ImportedRecord } from '@annals/sdk';
import { placeBy, sendWithoutNamed } from '../client/send-without-named.js';
import { divideMemory } from './divide-memory.js';

const PATH = /^body\.memories\[(\d+)\]/;

/** What became of a memory, of which parts may have been sent one after another. */
export interface SentMemory {
  readonly id: string;
  /** Taken when a part was. */
  readonly record: ImportedRecord;
  readonly isPending: boolean;
  /** Why parts of a memory that was taken were named as malformed. */
  readonly refusedParts: readonly string[];
  readonly leftOutEnds: number;
}

interface Sending {
  readonly parts: readonly ImportedMemory[];
  readonly results: ImportedRecord[];
  readonly named: string[];
}

/** Sends memories in as few requests as their numbers of sources and relations allow: most are one. */
export async function sendDivided(
  memories: readonly ImportedMemory[],
  send: (memories: readonly ImportedMemory[]) => Promise<readonly ImportedRecord[]>,
): Promise<SentMemory[]> {
  const divided = memories.map((memory) => divideMemory(memory));
  const all = divided.map(({ parts }): Sending => ({ parts, results: [], named: [] }));
  let open = all;
  for (let round = 0; open.length > 0; round += 1) {
    await sendRound(open, round, send);
    open = all.filter(({ parts, named }) => parts.length > round + 1 && named.length === 0);
  }
  return all.map((sending, index) => describe(sending, divided[index]!.leftOutEnds));
}

async function sendRound(
  open: readonly Sending[],
  round: number,
  send: (memories: readonly ImportedMemory[]) => Promise<readonly ImportedRecord[]>,
): Promise<void> {
  const { answer, items, named } = await sendWithoutNamed(
    open,
    (rest) => send(rest.map(({ parts }) => parts[round]!)),
    placeBy(PATH),
  );
  for (const { item, reason } of named) item.named.push(reason);
  items.forEach(({ results }, index) => results.push(answer![index]!));
}

function describe({ parts, results, named }: Sending, leftOutEnds: number): SentMemory {
  const id = parts[0]!.id;
  const isPending = results.some(({ pending }) => pending !== undefined);
  const taken = results.find(({ outcome }) => outcome !== 'refused');
  if (taken) return { id, record: taken, isPending, refusedParts: named, leftOutEnds };
  const refused = results.at(-1) ?? { outcome: 'refused', id: null, detail: named[0]! };
  return { id, record: refused, isPending, refusedParts: [], leftOutEnds };
}
