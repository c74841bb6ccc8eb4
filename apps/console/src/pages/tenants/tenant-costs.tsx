import type { TenantCostsPage } from '@annals/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { formatUsd } from '../../parts/money.ts';
import { Failure, Loading } from '../../parts/state.tsx';
import { useClient } from '../../session/session.tsx';

const number = new Intl.NumberFormat();

/** What each tenant has cost of late, the most expensive of those that were read first. */
export function TenantCosts() {
  const client = useClient();
  const costs = useInfiniteQuery({
    queryKey: ['tenant-costs'],
    queryFn: ({ pageParam }) => client.operator.costs.list(pageParam ? { cursor: pageParam } : {}).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: TenantCostsPage) => page.next_cursor ?? undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const pages = costs.data?.pages ?? [];
  const [first] = pages;
  const rows = pages.flatMap(({ items }) => items).toSorted((a, b) => b.cost_micro_usd - a.cost_micro_usd);
  return (
    <section aria-labelledby="costs">
      <h2 id="costs">Cost by tenant</h2>
      <code className="call">GET /v1/operator/costs</code>
      {costs.isPending && <Loading what="costs" />}
      {costs.isError && <Failure error={costs.error} />}
      {first && (
        <>
          <p>
            From {first.from} to {first.to}. Tenants that are deleted have cost{' '}
            {formatUsd(first.deleted_tenants_cost_micro_usd)} in these days.
          </p>
          <div className="wide" tabIndex={0} role="region" aria-label="Cost by tenant">
            <table>
              <thead>
                <tr>
                  <th scope="col">Tenant</th>
                  <th scope="col" className="number">
                    Calls
                  </th>
                  <th scope="col" className="number">
                    Cost
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.tenant_id}>
                    <th scope="row">{row.name}</th>
                    <td className="number">{number.format(row.calls)}</td>
                    <td className="number">{formatUsd(row.cost_micro_usd)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {costs.hasNextPage && (
            <Button
              className="react-aria-Button quiet"
              onPress={() => void costs.fetchNextPage()}
              isPending={costs.isFetchingNextPage}
            >
              Load more tenants
            </Button>
          )}
        </>
      )}
    </section>
  );
}
