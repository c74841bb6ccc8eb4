import type { UsagePage, UsageRow } from '@annals/sdk';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { formatUsd } from '../../parts/money.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { LoadMore } from '../../parts/paged.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { usePages } from '../../parts/use-pages.ts';
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
  const { query, items, first } = usePages(
    ['usage', group],
    (from) => client.usage.list({ group_by: group, ...from }),
    { refetchInterval: REFETCH_MS },
  );
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
      {query.isPending && <Loading what="usage" />}
      {query.error && <Failure error={query.error} />}
      {first && (
        <>
          <TenantBudgetForm budget={first.budget} />
          <Totals page={first} />
          <Rows rows={items} />
          <LoadMore query={query} what="rows" />
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

function Rows({ rows }: { readonly rows: readonly UsageRow[] }) {
  if (rows.length === 0)
    return (
      <p className="state">
        No model was called on these days. The model of the first minutes runs inside of the process and costs nothing.
      </p>
    );
  return (
    <Table
      label="Usage"
      columns={['What', ...['calls', 'input tokens', 'output tokens', 'cost'].map((name) => ({ number: name }))]}
    >
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
    </Table>
  );
}
