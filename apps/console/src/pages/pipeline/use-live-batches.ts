import type { Batch } from '@annals/sdk';
import { useEffect, useState } from 'react';
import { useClient } from '../../session/session.tsx';

/** A browser opens six connections to a server: requests of the page need some of them. */
const MAX_FOLLOWED = 3;

/** Batches as they change: the first unfinished ones by their streams of events, the others as the list has them. */
export function useLiveBatches(batches: readonly Batch[]): readonly Batch[] {
  const client = useClient();
  const [changed, setChanged] = useState<ReadonlyMap<string, Batch>>(new Map());
  const followed = batches
    .filter(isUnfinished)
    .slice(0, MAX_FOLLOWED)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async (id: string): Promise<void> => {
      for await (const { data } of client.batches.events(id, { signal: leaving.signal }))
        setChanged((before) => new Map(before).set(id, data));
    };
    // What a stream cannot tell, the page that shows the batch learns with its next reading.
    for (const id of followed.split(' ')) if (id !== '') follow(id).catch(() => undefined);
    return () => leaving.abort();
  }, [client, followed]);
  return batches.map((batch) => chooseNewer(batch, changed.get(batch.id)));
}

export function isUnfinished({ status }: Batch): boolean {
  return status !== 'done' && status !== 'failed';
}

const ORDER = ['deferred', 'queued', 'extracting', 'persisting', 'failed', 'done'] as const;

/** The list and the stream are read at different times: a batch only goes forward within a generation. */
function chooseNewer(listed: Batch, streamed: Batch | undefined): Batch {
  if (!streamed || streamed.generation < listed.generation) return listed;
  if (streamed.generation > listed.generation) return streamed;
  return ORDER.indexOf(streamed.status) >= ORDER.indexOf(listed.status) ? streamed : listed;
}
