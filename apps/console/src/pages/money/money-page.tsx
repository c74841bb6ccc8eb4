import type { UsagePage } from '@annals/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { formatUsd } from '../../parts/money.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { useClient } from '../../session/session.tsx';
import { TenantBudgetForm } from './tenant-budget-form.tsx';

const GROUPS = ['model', 'user', 'batch', 'call'] as const;
const REFETCH_MS = 10_000;
const number = new Intl.NumberFormat();

/** What calls of models cost, and what may still be spent today. */
export default function MoneyPage() {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const group = GROUPS.find((name) => name === search.get('by')) ?? 'day';
  const usage = useInfiniteQuery({
    queryKey: ['usage', group],
    queryFn: ({ pageParam }) =>
      client.usage.list({ group_by: group, ...(pageParam ? { cursor: pageParam } : {}) }).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: UsagePage) => page.next_cursor ?? undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFETCH_MS : false),
  });
  const [first] = usage.data?.pages ?? [];
  return (
    <>
      <PageHead title="Money" call={`GET /v1/usage?group_by=${group}`}>
        <Choice
          label="By"
          all="day"
          options={GROUPS}
          value={group === 'day' ? null : group}
          onChange={(name) => setSearch(name ? { by: name } : {})}
        />
      </PageHead>
      {usage.isPending && <Loading what="usage" />}
      {usage.isError && <Failure error={usage.error} />}
      {first && (
        <>
          <TenantBudgetForm budget={first.budget} />
          <Totals page={first} />
          <Rows pages={usage.data?.pages ?? []} />
          {usage.hasNextPage && (
            <Button
              className="react-aria-Button quiet"
              onPress={() => void usage.fetchNextPage()}
              isPending={usage.isFetchingNextPage}
            >
              Load more rows
            </Button>
          )}
        </>
      )}
    </>
  );
}

function Totals({ page: { totals, from, to, deferred_batches: deferred } }: { readonly page: UsagePage }) {
  return (
    <section aria-labelledby="totals">
      <h2 id="totals">
        From {from} to {to}
      </h2>
      <dl className="figures">
        <Figure name="Cost">{formatUsd(totals.cost_micro_usd)}</Figure>
        <Figure name="Memories">{number.format(totals.memories)}</Figure>
        <Figure name="Cost of a memory">
          {totals.cost_per_memory_micro_usd === null ? '–' : formatUsd(totals.cost_per_memory_micro_usd)}
        </Figure>
        <Figure name="Calls">{number.format(totals.calls)}</Figure>
        <Figure name="Deferred batches">
          {deferred === 0 ? '0' : <Link href="/pipeline?status=deferred">{deferred}</Link>}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Rows({ pages }: { readonly pages: readonly UsagePage[] }) {
  const rows = pages.flatMap(({ items }) => items);
  if (rows.length === 0)
    return (
      <p className="state">
        No model was called on these days. The model of the first minutes runs inside of the process and costs nothing.
      </p>
    );
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Usage">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            {['calls', 'input tokens', 'output tokens', 'cost'].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">
                {[row.day, row.provider, row.model, row.operation, row.user_id, row.batch_id, row.call_id, row.outcome]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </th>
              <td className="number">{number.format(row.calls)}</td>
              <td className="number">{number.format(row.tokens.input)}</td>
              <td className="number">{number.format(row.tokens.output)}</td>
              <td className="number">{formatUsd(row.cost_micro_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
