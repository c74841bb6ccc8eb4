import type { Budget } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import { BudgetForm } from './budget-form.tsx';

/** The budget of the tenant today. */
export function TenantBudgetForm({ budget }: { readonly budget: Budget }) {
  const client = useClient();
  const put = useMutation({
    mutationFn: (limit: number | null) => client.admin.budgets.put({ daily_limit_micro_usd: limit }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['usage'] }),
  });
  return (
    <BudgetForm
      title="Budget today"
      call="PUT /v1/admin/budgets"
      budget={budget}
      error={put.error}
      isPending={put.isPending}
      onChange={(limit) => put.mutate(limit)}
    />
  );
}
