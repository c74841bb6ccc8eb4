import type { Memory } from '@annals/sdk';
import { Link } from 'wouter';
import { Decision } from '../../parts/decision.tsx';
import { Paged } from '../../parts/paged.tsx';
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

  async function decide(decision: 'release' | 'reject'): Promise<void> {
    await client.quarantine[decision](memory.id, { ifMatch: memory.revision });
    await queries.invalidateQueries({ queryKey: ['quarantine'] });
  }

  return (
    <>
      <p>
        <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
      </p>
      <p className="facts">
        {memory.user_id} · {memory.category} · {memory.provenance.model ?? memory.origin} ·{' '}
        <Moment at={memory.recorded_at} />
      </p>
      <Decision answers={{ release: 'Release', reject: 'Reject' }} run={decide} />
    </>
  );
}
