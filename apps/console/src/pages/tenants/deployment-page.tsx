import type { DeploymentBudgets } from '@annals/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import { BudgetForm } from '../money/budget-form.tsx';
import { TenantCosts } from './tenant-costs.tsx';

const REFETCH_MS = 10_000;

/** What all tenants together may spend, and what waits for them, for the operator. */
export default function DeploymentPage() {
  const client = useClient();
  const budgets = useQuery({
    queryKey: ['deployment-budgets'],
    queryFn: () => client.operator.budgets.get(),
    refetchInterval: REFETCH_MS,
  });
  return (
    <>
      <PageHead title="Deployment" call="GET /v1/operator/budgets" />
      {budgets.isPending && <Loading what="budgets" />}
      {budgets.isError && <Failure error={budgets.error} />}
      {budgets.data && <Budgets budgets={budgets.data} />}
      <TenantCosts />
      <WaitingWork />
    </>
  );
}

function Budgets({ budgets: { deployment, providers } }: { readonly budgets: DeploymentBudgets }) {
  const client = useClient();
  const put = useMutation({
    mutationFn: (limit: { readonly name: 'deployment' | 'claude' | 'openai'; readonly microUsd: number | null }) =>
      client.operator.budgets.put({ [limit.name]: limit.microUsd }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deployment-budgets'] }),
  });
  const all = [
    { name: 'deployment', title: 'Budget of all tenants today', budget: deployment },
    { name: 'claude', title: 'Claude today', budget: providers.claude },
    { name: 'openai', title: 'OpenAI today', budget: providers.openai },
  ] as const;
  return all.map(({ name, title, budget }) => (
    <BudgetForm
      key={name}
      title={title}
      call="PUT /v1/operator/budgets"
      budget={budget}
      error={put.variables?.name === name ? put.error : null}
      isPending={put.isPending && put.variables.name === name}
      onChange={(microUsd) => put.mutate({ name, microUsd })}
    />
  ));
}

function WaitingWork() {
  const client = useClient();
  const work = useQuery({
    queryKey: ['work-overview'],
    queryFn: () => client.operator.work.get(),
    refetchInterval: REFETCH_MS,
  });
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">Work of all tenants</h2>
      <code className="call">GET /v1/operator/work</code>
      {work.isPending && <Loading what="work" />}
      {work.isError && <Failure error={work.error} />}
      {work.data && (
        <Table columns={['Kind', { number: 'Deferred' }, { number: 'Failed' }]}>
          {work.data.kinds.map(({ kind, deferred, failed }) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              <td className="number">{deferred}</td>
              <td className="number">{failed}</td>
            </tr>
          ))}
        </Table>
      )}
      <p>
        Jobs, reasons and retries are in the <a href="../admin/queues">queue UI</a>.
      </p>
    </section>
  );
}
