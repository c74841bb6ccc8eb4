import type { Memory } from '@annals/sdk';
import { Confirm } from '../../parts/confirm.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useSession } from '../../session/session.tsx';

/** Every change of a memory, who made it, and the undo of the last one. */
export function History({ memory }: { readonly memory: Memory }) {
  const { client, key } = useSession();
  const { id } = memory;
  const list = usePages(['history', id], (from) => client.memories.history(id, from));
  const mayWrite = key.scopes.includes('ingest') || key.scopes.includes('admin');
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <code className="call">GET /v1/memories/{id}/history</code>
      <Paged list={list} what="changes" empty={<p>Nothing has changed.</p>}>
        {(changes) => (
          <ol className="history">
            {changes.map((change) => (
              <li key={change.seq}>
                <p>
                  <strong>{change.event}</strong> by {change.actor ?? 'an erased actor'} · <Moment at={change.ts} />
                </p>
                {change.content !== null && <p>{change.content}</p>}
              </li>
            ))}
          </ol>
        )}
      </Paged>
      {mayWrite && (
        <Confirm
          action="Undo the last change"
          title="Undo the last change of this memory?"
          run={async () => {
            await client.memories.undo(id, { ifMatch: memory.revision });
            await queries.invalidateQueries();
          }}
        >
          <p>
            What was added is deleted, what was changed or deleted is as it was before. The undo is a change of its own
            in the history.
          </p>
        </Confirm>
      )}
    </section>
  );
}
