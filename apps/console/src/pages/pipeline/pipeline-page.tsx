import type { Batch } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { formatUsd } from '../../parts/money.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty, Failure } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import { BackgroundWork } from './background-work.tsx';
import { describeResult } from './describe-result.ts';
import { isUnfinished, useLiveBatches } from './use-live-batches.ts';

const STATES = ['queued', 'extracting', 'persisting', 'done', 'deferred', 'failed'] as const;
const REFETCH_MS = 5_000;

/** Batches from their acceptance to their memories, as they go on, and the work of minds behind them. */
export default function PipelinePage() {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const status = STATES.find((state) => state === search.get('status')) ?? null;
  const list = usePages(
    ['batches', status],
    (from) => client.batches.list({ ...(status ? { status } : {}), ...from }),
    { refetchInterval: REFETCH_MS },
  );
  return (
    <>
      <PageHead title="Pipeline" call={`GET /v1/batches${status ? `?status=${status}` : ''}`}>
        <Choice
          label="Status"
          all="all"
          options={STATES}
          value={status}
          onChange={(state) => setSearch(state ? { status: state } : {})}
        />
      </PageHead>
      <Paged
        list={list}
        what="batches"
        empty={
          <Empty title={status ? `No batch is ${status}` : 'Nothing was sent yet'}>
            <p>
              Messages of a conversation become a batch, from which memories are extracted. Send some to{' '}
              <code>POST /v1/conversations</code>: they appear here at once.
            </p>
          </Empty>
        }
      >
        {(batches) => <Batches batches={batches} />}
      </Paged>
      <BackgroundWork />
    </>
  );
}

function Batches({ batches }: { readonly batches: readonly Batch[] }) {
  const live = useLiveBatches(batches);
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Batches">
      <table>
        <thead>
          <tr>
            <th scope="col">Conversation</th>
            <th scope="col">Status</th>
            <th scope="col">Result</th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col">Accepted</th>
          </tr>
        </thead>
        <tbody>
          {live.map((batch) => (
            <tr key={batch.id}>
              <th scope="row">
                <Link href={`/batches/${batch.id}`}>
                  {batch.user_id}: {batch.thread_id}
                </Link>
              </th>
              <td>
                <span className={`tag ${batch.status}`}>{batch.status}</span>
                {isUnfinished(batch) && batch.status !== 'deferred' && <progress aria-label={`${batch.status} …`} />}
              </td>
              <td>
                {describeResult(batch)}
                {batch.status === 'failed' && <Replay batch={batch} />}
              </td>
              <td className="number">{formatUsd(batch.cost_micro_usd)}</td>
              <td>
                <Moment at={batch.accepted_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Replay({ batch }: { readonly batch: Batch }) {
  const client = useClient();
  const replay = useMutation({
    mutationFn: () => client.batches.replay(batch.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['batches'] }),
  });
  return (
    <>
      {' '}
      <Button className="react-aria-Button quiet" onPress={() => replay.mutate()} isPending={replay.isPending}>
        Replay
      </Button>
      {replay.isError && <Failure error={replay.error} />}
    </>
  );
}
