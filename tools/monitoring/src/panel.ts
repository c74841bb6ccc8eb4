import type { AlertName } from './alerts/alerts.ts';

/** Grafana's units, as far as the panels use them. */
type Unit = 'short' | 'ops' | 'ms' | 's' | 'percent' | 'percentunit' | 'currencyUSD' | 'bytes' | 'none' | 'bool';

interface Query {
  readonly expr: string;
  /** With labels in braces, such as `{{queue}}`. */
  readonly legend: string;
}

/** One graph: it answers the question in its title. */
export interface Panel {
  readonly title: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** A line at a target, which good values stay below or, with `isFloor`, above. */
  readonly target?: { readonly value: number; readonly isFloor?: boolean };
  /** Where what to do is written: the section of an alert, or a section of a page in docs/. */
  readonly runbook: AlertName | `${string}.md#${string}`;
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly panels: readonly Panel[];
}
