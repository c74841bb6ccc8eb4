import { formatUsd } from '../../parts/money.ts';
import { LoadMore } from '../../parts/paged.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';

const number = new Intl.NumberFormat();

/** What each tenant has cost of late, the most expensive of those that were read first. */
export function TenantCosts() {
  const client = useClient();
  const { query, items, first } = usePages(['tenant-costs'], (from) => client.operator.costs.list(from));
  const rows = items.toSorted((a, b) => b.cost_micro_usd - a.cost_micro_usd);
  return (
    <section aria-labelledby="costs">
      <h2 id="costs">Cost by tenant</h2>
      <code className="call">GET /v1/operator/costs</code>
      {query.isPending && <Loading what="costs" />}
      {query.error && <Failure error={query.error} />}
      {first && (
        <>
          <p>
            From {first.from} to {first.to}. Tenants that are deleted have cost{' '}
            {formatUsd(first.deleted_tenants_cost_micro_usd)} in these days.
          </p>
          <Table label="Cost by tenant" columns={['Tenant', { number: 'Calls' }, { number: 'Cost' }]}>
            {rows.map((row) => (
              <tr key={row.tenant_id}>
                <th scope="row">{row.name}</th>
                <td className="number">{number.format(row.calls)}</td>
                <td className="number">{formatUsd(row.cost_micro_usd)}</td>
              </tr>
            ))}
          </Table>
          <LoadMore query={query} what="tenants" />
        </>
      )}
    </section>
  );
}
