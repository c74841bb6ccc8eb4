import { useQuery } from '@tanstack/react-query';
import { Failure, Loading } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { useClient } from '../../session/session.tsx';

/** Counts of what was stored, merged, held back and refused: `classify` with `skipped` was not worth remembering. */
export function WhatHappened() {
  const client = useClient();
  const counts = useQuery({ queryKey: ['event-counts'], queryFn: () => client.events.counts() });
  return (
    <section aria-labelledby="happened">
      <h2 id="happened">What was done with what came in</h2>
      <code className="call">GET /v1/events/counts</code>
      {counts.isPending && <Loading what="counts" />}
      {counts.isError && <Failure error={counts.error} />}
      {counts.data?.items.length === 0 && <p>Nothing was done yet.</p>}
      {counts.data && counts.data.items.length > 0 && (
        <Table columns={['By', 'What', { number: 'How often' }]}>
          {counts.data.items.map(({ node, op, status, count }) => (
            <tr key={`${node} ${op} ${status}`}>
              <th scope="row">{node}</th>
              <td>{describe(op, status)}</td>
              <td className="number">{count}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function describe(op: string, status: string): string {
  if (op === 'classify' && status === 'skipped') return 'not worth remembering';
  return status === 'ok' ? op : `${op} (${status})`;
}
