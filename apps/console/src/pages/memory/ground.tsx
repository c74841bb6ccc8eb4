import { useQuery } from '@tanstack/react-query';
import { Failure, Loading } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';

/** The words that a memory rests on. */
export function Ground({ id }: { readonly id: string }) {
  const client = useClient();
  const reasons = useQuery({ queryKey: ['why', id], queryFn: () => client.memories.why(id) });
  return (
    <section aria-labelledby="ground">
      <h2 id="ground">What it rests on</h2>
      <code className="call">GET /v1/memories/{id}/why</code>
      {reasons.isPending && <Loading what="sources" />}
      {reasons.isError && <Failure error={reasons.error} />}
      {reasons.isSuccess && reasons.data.ground.length === 0 && <p>Nothing: it was written by hand.</p>}
      <ul className="ground">
        {reasons.data?.ground.map((ground) => (
          <li key={ground.kind === 'message' ? ground.message_id : ground.memory_id}>
            <blockquote>{ground.content ?? 'These words are gone, or may not be seen with this key.'}</blockquote>
            <p className="facts">
              {ground.kind === 'message' ? (ground.role ?? 'message') : 'another memory'}
              {ground.said_at && (
                <>
                  {' '}
                  · <Moment at={ground.said_at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
