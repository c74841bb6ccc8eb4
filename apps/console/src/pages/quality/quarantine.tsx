import type { Memory } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Link } from 'wouter';
import { Paged } from '../../parts/paged.tsx';
import { Failure } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';

/** Memories whose evidence was not confirmed: an agent sees them only once somebody releases them. */
export function Quarantine() {
  const client = useClient();
  const list = usePages(['quarantine'], (from) => client.quarantine.list(from));
  return (
    <section aria-labelledby="quarantine">
      <h2 id="quarantine">Quarantine</h2>
      <Paged
        list={list}
        what="quarantined memories"
        empty={
          <p className="state">Nothing is held back: the words behind every memory were found in what was said.</p>
        }
      >
        {(memories) => (
          <ul className="conversations">
            {memories.map((memory) => (
              <li key={memory.id}>
                <Held memory={memory} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </section>
  );
}

function Held({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const decide = useMutation({
    mutationFn: (decision: 'release' | 'reject'): Promise<unknown> =>
      client.quarantine[decision](memory.id, { ifMatch: memory.revision }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['quarantine'] }),
  });
  return (
    <>
      <p>
        <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
      </p>
      <p className="facts">
        {memory.user_id} · {memory.category} · {memory.provenance.model ?? memory.origin} ·{' '}
        <Moment at={memory.recorded_at} />
      </p>
      <div className="actions">
        <Button onPress={() => decide.mutate('release')} isPending={decide.isPending}>
          Release
        </Button>
        <Button
          className="react-aria-Button quiet"
          onPress={() => decide.mutate('reject')}
          isPending={decide.isPending}
        >
          Reject
        </Button>
      </div>
      {decide.isError && <Failure error={decide.error} />}
    </>
  );
}
