import type { METRICS } from '@annals/observability';

type Manifest = typeof METRICS;
type MetricName = keyof Manifest;
type NameOf<Type> = { [Name in MetricName]: Manifest[Name]['type'] extends Type ? Name : never }[MetricName];
type CounterName = NameOf<'counter'>;
type GaugeName = NameOf<'gauge'>;
type HistogramName = NameOf<'histogram'>;

/** Process metrics of prom-client that the dashboards show; they are not in the manifest. */
export type ProcessMetric = `memory_llm_process_${
  | 'process_cpu_seconds_total'
  | 'process_resident_memory_bytes'
  | 'nodejs_heap_size_used_bytes'
  | 'nodejs_eventloop_lag_p99_seconds'
  | 'nodejs_gc_duration_seconds_sum'}`;

/** `matches` and `not` are regular expressions of the whole value. */
type Matcher<Value> = Value | { readonly matches: string } | { readonly not: string };
type LabelsOf<Name extends MetricName> = Manifest[Name]['labels'];
type Where<Name extends MetricName> = {
  readonly [Label in keyof LabelsOf<Name>]?: Matcher<
    LabelsOf<Name>[Label] extends readonly (infer Value extends string)[] ? Value : string
  >;
};

interface Options<Name extends MetricName> {
  /** Labels that stay apart; `instance` is Prometheus' own. */
  readonly by?: readonly ((keyof LabelsOf<Name> & string) | 'instance')[];
  readonly where?: Where<Name>;
  /** Window of a rate: Grafana's own by default, a duration such as `10m` in alerts. */
  readonly over?: string;
}

/** Increments per second, over all processes. */
export function rate<Name extends CounterName>(name: Name, { by = [], where, over }: Options<Name> = {}): string {
  return `${aggregate('sum', by)}(rate(${select(name, where)}[${over ?? '$__rate_interval'}]))`;
}

/** Increments within the window, over all processes. */
export function increase<Name extends CounterName>(name: Name, { by = [], where, over }: Options<Name> = {}): string {
  return `${aggregate('sum', by)}(increase(${select(name, where)}[${over ?? '$__rate_interval'}]))`;
}

/** A quantile of all processes, 0 to 1. */
export function quantile<Name extends HistogramName>(
  q: number,
  name: Name,
  { by = [], where, over }: Options<Name> = {},
): string {
  const buckets = `rate(${select(`${name}_bucket`, where)}[${over ?? '$__rate_interval'}])`;
  return `histogram_quantile(${q}, ${aggregate('sum', ['le', ...by])}(${buckets}))`;
}

/** Observations per second of a histogram. */
function observations<Name extends HistogramName>(name: Name, { by = [], where, over }: Options<Name> = {}): string {
  return `${aggregate('sum', by)}(rate(${select(`${name}_count`, where)}[${over ?? '$__rate_interval'}]))`;
}

/** Mean of what a histogram observed. */
export function mean<Name extends HistogramName>(name: Name, options: Options<Name> = {}): string {
  const { by = [], where, over = '$__rate_interval' } = options;
  const sum = `${aggregate('sum', by)}(rate(${select(`${name}_sum`, where)}[${over}]))`;
  return `${sum} / ${observations(name, options)}`;
}

/** The highest value that a process reports: of what all read from the same database, the value. */
export function highest<Name extends GaugeName>(name: Name, { by = [], where }: Options<Name> = {}): string {
  return `${aggregate('max', by)}(${select(name, where)})`;
}

export function lowest<Name extends GaugeName>(name: Name, { by = [], where }: Options<Name> = {}): string {
  return `${aggregate('min', by)}(${select(name, where)})`;
}

/** A gauge of each process, with the service that it is. */
export function perProcess(name: ProcessMetric): string {
  return withService(name);
}

/** Increments per second of a counter of each process. */
export function ratePerProcess(name: ProcessMetric): string {
  return withService(`rate(${name}[$__rate_interval])`);
}

/** The names of services are in one metric only: Prometheus calls all processes by one job. */
function withService(perInstance: string): string {
  const services = 'max by (instance, service) (memory_llm_build_info)';
  return `sum by (instance, service) (${perInstance} * on (instance) group_left (service) ${services})`;
}

/** 0 instead of nothing: of a counter whose series begin with their first increment. */
export function orZero(expression: string): string {
  return `(${expression} or vector(0))`;
}

/** Operands that are quotients or sums themselves stay together. */
export function divide(dividend: string, divisor: string): string {
  return `${group(dividend)} / ${group(divisor)}`;
}

export function add(...parts: readonly string[]): string {
  return parts.map(group).join(' + ');
}

function group(expression: string): string {
  return /\) [-+*/] /.test(expression) || /^[^(]* [-+*/] /.test(expression) ? `(${expression})` : expression;
}

function aggregate(operator: 'sum' | 'max' | 'min', by: readonly string[]): string {
  return by.length === 0 ? operator : `${operator} by (${by.join(', ')}) `;
}

function select(name: string, where: Readonly<Record<string, Matcher<string> | undefined>> = {}): string {
  const matchers = Object.entries(where).map(([label, matcher]) => `${label}${renderMatcher(matcher!)}`);
  return matchers.length === 0 ? name : `${name}{${matchers.join(',')}}`;
}

function renderMatcher(matcher: Matcher<string>): string {
  if (typeof matcher === 'string') return `="${matcher}"`;
  return 'matches' in matcher ? `=~"${matcher.matches}"` : `!~"${matcher.not}"`;
}
