import type { Batch } from '@annals/sdk';
import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { formatUsd } from '../../parts/money.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import { BackgroundWork } from './background-work.tsx';
import { describeResult } from './describe-result.ts';
import { RunAgain } from './run-again.tsx';
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
  const client = useClient();
  const live = useLiveBatches(batches);

  async function replay(id: string): Promise<void> {
    await client.batches.replay(id);
    await queries.invalidateQueries({ queryKey: ['batches'] });
  }

  return (
    <Table label="Batches" columns={['Conversation', 'Status', 'Result', { number: 'Cost' }, 'Accepted']}>
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
            {batch.status === 'failed' && <RunAgain label="Replay" run={() => replay(batch.id)} />}
          </td>
          <td className="number">{formatUsd(batch.cost_micro_usd)}</td>
          <td>
            <Moment at={batch.accepted_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
