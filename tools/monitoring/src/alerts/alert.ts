/** `page` wakes somebody; `ticket` is for working hours. */
type Severity = 'page' | 'ticket';

export interface Alert {
  readonly severity: Severity;
  /** What is measured: returns a series also while all is well. */
  readonly value: string;
  /** The comparison that makes it fire, such as `> 0`. */
  readonly fires: string;
  /** Conditions beside it, each with its matching, such as `and on () …`. */
  readonly only?: string;
  /** How long it has to hold. */
  readonly for: string;
  /** With labels as `{{ $labels.queue }}` and the value as `{{ $value }}`. */
  readonly summary: string;
  readonly meaning: string;
  readonly checks: readonly string[];
  readonly actions: readonly string[];
}

/** The expression of its rule. */
export function renderExpression({ value, fires, only }: Pick<Alert, 'value' | 'fires' | 'only'>): string {
  return only === undefined ? `${value} ${fires}` : `${value} ${fires} ${only}`;
}

export function defineAlerts<const Name extends string>(alerts: Readonly<Record<Name, Alert>>) {
  return alerts;
}
