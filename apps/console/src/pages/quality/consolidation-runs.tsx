import type { MindRun } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { Link } from 'wouter';
import { Confirm } from '../../parts/confirm.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';

/** What consolidation merged, linked and ranked, run by run, and the undo of a run. */
export function ConsolidationRuns() {
  const client = useClient();
  const list = usePages(['consolidation'], (from) => client.consolidation.runs.list(from));
  return (
    <section aria-labelledby="consolidation">
      <h2 id="consolidation">Consolidation</h2>
      <code className="call">GET /v1/consolidation/runs</code>
      <Paged list={list} what="runs" empty={<p className="state">No memories were merged in the background yet.</p>}>
        {(runs) => (
          <ul className="conversations">
            {runs.map((run) => (
              <li key={run.id}>
                <Run run={run} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </section>
  );
}

function Run({ run }: { readonly run: MindRun }) {
  const counts = Object.entries(run.counts).flatMap(([name, count]) => (count ? [`${name} ${count}`] : []));
  return (
    <Disclosure>
      {({ isExpanded }) => (
        <>
          <Heading level={3}>
            <Button slot="trigger">{run.user_id ?? 'an erased user'}</Button>
          </Heading>
          <p className="facts">
            {run.dry_run ? 'planned only' : run.state} · <Moment at={run.started_at} /> ·{' '}
            {counts.join(', ') || 'nothing changed'}
          </p>
          <DisclosurePanel>{isExpanded && <Changes id={run.id} />}</DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}

function Changes({ id }: { readonly id: string }) {
  const client = useClient();
  const run = useQuery({ queryKey: ['consolidation', id], queryFn: () => client.consolidation.runs.get(id) });
  if (run.isPending) return <Loading what="changes" />;
  if (run.isError) return <Failure error={run.error} />;
  const { changes, state, dry_run: isDry } = run.data;
  return (
    <>
      <ul>
        {changes.map((change) => (
          <li key={change.ordinal}>
            {change.change}, {change.state}: {change.reason}{' '}
            {change.memory_ids.map((memoryId, index) => (
              <Link key={memoryId} href={`/memories/${memoryId}`}>
                [{index + 1}]
              </Link>
            ))}
          </li>
        ))}
      </ul>
      {state === 'done' && !isDry && (
        <Confirm
          action="Undo the run"
          title="Undo this run of consolidation?"
          run={async () => {
            await client.consolidation.runs.undo(id);
            await queries.invalidateQueries();
          }}
        >
          <p>Every change of the run is taken back. What somebody has changed since stays as it is.</p>
        </Confirm>
      )}
    </>
  );
}
