import type { Memory } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';
import { Ground } from './ground.tsx';
import { History } from './history.tsx';

const Graph = lazy(() => import('./graph.tsx'));

/** One memory: what it rests on, how it came to be, and what it is linked to. */
export default function MemoryPage({ id }: { readonly id: string }) {
  const client = useClient();
  const memory = useQuery({ queryKey: ['memory', id], queryFn: () => client.memories.get(id) });
  if (memory.isPending) return <Loading what="memory" />;
  if (!memory.data) return <Failure error={memory.error} />;
  return (
    <>
      <PageHead tab="Memory" title={memory.data.content} call={`GET /v1/memories/${id}`} />
      <Facts memory={memory.data} />
      <Ground id={id} />
      <History memory={memory.data} />
      <Suspense fallback={<Loading what="graph" />}>
        <Graph memory={memory.data} />
      </Suspense>
    </>
  );
}

function Facts({ memory }: { readonly memory: Memory }) {
  return (
    <dl className="fields">
      {memory.user_id !== null && (
        <>
          <dt>User</dt>
          <dd>
            <Link href={`/users/${encodeURIComponent(memory.user_id)}`}>{memory.user_id}</Link>
          </dd>
        </>
      )}
      <dt>Category</dt>
      <dd>{memory.category}</dd>
      <dt>State</dt>
      <dd>{memory.state}</dd>
      <dt>Valid</dt>
      <dd>
        <Moment at={memory.valid_from} day /> – {memory.valid_to ? <Moment at={memory.valid_to} day /> : 'now'}
      </dd>
      <dt>Importance</dt>
      <dd>{memory.importance} of 5</dd>
      <dt>Confidence</dt>
      <dd>{Math.round(memory.confidence * 100)} %</dd>
      <dt>Made by</dt>
      <dd>{memory.provenance.model ?? memory.origin}</dd>
      {memory.superseded_by !== null && (
        <>
          <dt>Replaced by</dt>
          <dd>
            <Link href={`/memories/${memory.superseded_by}`}>the statement that holds instead</Link>
          </dd>
        </>
      )}
    </dl>
  );
}
