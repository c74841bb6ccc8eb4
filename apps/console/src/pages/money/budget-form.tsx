import type { Budget } from '@annals/sdk';
import { type FormEvent, useState } from 'react';
import { Button, FieldError, Form, Input, Label, Meter, Text, TextField } from 'react-aria-components';
import { Confirm } from '../../parts/confirm.tsx';
import { formatUsd, parseUsd } from '../../parts/money.ts';
import { Failure } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';

const MICRO = 1_000_000;

interface BudgetFormProps {
  readonly title: string;
  /** The request that changes it. */
  readonly call: string;
  readonly budget: Budget;
  readonly error: unknown;
  readonly isPending: boolean;
  /** In micro-USD, as the API takes it: 0 is no limit, null is what the configuration says. */
  readonly onChange: (limit: number | null) => void;
}

/** What is spent and reserved of a daily budget, and its limit, which can be changed. */
export function BudgetForm({ title, call, budget, error, isPending, onChange }: BudgetFormProps) {
  const { daily_limit_micro_usd: limit, spent_micro_usd: spent, reserved_micro_usd: reserved } = budget;
  const [typed, setTyped] = useState(limit === null ? '' : String(limit / MICRO));
  const parsed = parseUsd(typed);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (parsed !== null) onChange(parsed);
  }

  return (
    <section className="budget">
      <h2>{title}</h2>
      {limit !== null && (
        <Meter value={Math.min(100, budget.budget_utilization ?? 0)} valueLabel={formatUsd(spent)}>
          {({ percentage, valueText }) => (
            <>
              <Label>
                {valueText} of {formatUsd(limit)} spent
              </Label>
              <svg className="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width="100" height="4" />
                <rect className="filled" width={percentage} height="4" />
              </svg>
            </>
          )}
        </Meter>
      )}
      <p className="facts">
        {limit === null && `${formatUsd(spent)} spent, without a limit of its own · `}
        {formatUsd(reserved)} reserved for calls in progress · resets at <Moment at={budget.resets_at} /> · set by the{' '}
        {budget.source}
      </p>
      <Form className="react-aria-Form row" onSubmit={submit}>
        <TextField value={typed} onChange={setTyped} inputMode="decimal" isInvalid={typed !== '' && parsed === null}>
          <Label>Daily limit in USD</Label>
          <Input />
          <Text slot="description">{call}</Text>
          <FieldError>Write an amount above 0 such as 2.50, with at most six decimals.</FieldError>
        </TextField>
        <Button type="submit" isDisabled={parsed === null} isPending={isPending}>
          Set limit
        </Button>
        {budget.source === 'api' && (
          <Button className="react-aria-Button quiet" isPending={isPending} onPress={() => onChange(null)}>
            As configured
          </Button>
        )}
        {limit !== null && (
          <Confirm action="No limit" title={`${title}: no limit?`} run={async () => onChange(0)}>
            <p>Calls of models are then bounded by the other budgets alone. To stop them, set a small limit instead.</p>
          </Confirm>
        )}
      </Form>
      {error !== null && <Failure error={error} />}
    </section>
  );
}
