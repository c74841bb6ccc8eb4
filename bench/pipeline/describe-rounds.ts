import { atLeast, atMost, type Row } from '../frame/row.ts';
import { median } from '../frame/statistics.ts';
import type { Mem0Report } from '../processes/mem0.ts';
import { type RoundResult, SERVICES, sumCpu } from './run-round.ts';

/** A round of mem0, with the CPU of its PostgreSQL for each conversation. */
export interface Mem0Round extends Mem0Report {
  readonly postgresMs: number | undefined;
}

const MEM0 = 'mem0 (TypeScript, pgvector)';

/** The pipeline under load, with one process of each service; `peer`: the rounds of mem0 in between, or none. */
export function describeRounds(rounds: readonly RoundResult[], peer: readonly Mem0Round[]): Row[] {
  const of = (figure: (round: RoundResult) => number) => median(rounds.map(figure));
  const cpuMs = of(sumCpu);
  return [
    describeRate(
      of(({ perSecond }) => perSecond),
      peer,
    ),
    ...SERVICES.map((name) => ({
      id: 'T3',
      what: `pipeline: CPU of ${name} a conversation`,
      value: of((round) => round.cpuMs[name]),
      unit: 'ms',
    })),
    {
      id: 'T3',
      what: 'pipeline: CPU of the three services a conversation',
      value: cpuMs,
      unit: 'ms',
      target: atMost(cpuMs, 4.5, '<= 4.5 ms'),
    },
    ...describeServers(rounds, peer),
    ...describeSql(of),
    ...describePeer(cpuMs, peer),
  ];
}

function describeRate(perSecond: number, peer: readonly Mem0Round[]): Row {
  const row = {
    id: 'T3',
    what: 'pipeline, one process of each service, 0 ms model',
    value: perSecond,
    unit: 'conv/s',
  };
  if (peer.length === 0) return row;
  const raw = median(peer.map((round) => round.perSecond));
  return { ...row, raw: { what: 'mem0 /s', value: raw }, target: atLeast(perSecond, raw * 10, '>= 10x') };
}

function describeServers(rounds: readonly RoundResult[], peer: readonly Mem0Round[]): Row[] {
  const postgres = medianOfKnown(rounds.map(({ postgresMs }) => postgresMs));
  const ofPeer = medianOfKnown(peer.map(({ postgresMs }) => postgresMs));
  const row = (server: string, value: number) => ({
    id: 'T3',
    what: `server CPU a conversation: ${server}`,
    value,
    unit: 'ms',
  });
  return [
    ...(postgres === undefined
      ? []
      : [
          {
            ...row('PostgreSQL', postgres),
            ...(ofPeer === undefined ? {} : { raw: { what: "mem0's", value: ofPeer } }),
          },
        ]),
    row('Valkey', median(rounds.map(({ valkeyMs }) => valkeyMs))),
  ];
}

function describeSql(of: (figure: (round: RoundResult) => number) => number): Row[] {
  const row = (what: string, key: keyof RoundResult['sql']['gateway']): Row => ({
    id: 'T4',
    what: `pipeline under load: ${what} a conversation`,
    value: of(({ sql }) => SERVICES.reduce((sum, name) => sum + sql[name][key], 0)),
    unit: '',
    details: Object.fromEntries(SERVICES.map((name) => [name, of(({ sql }) => sql[name][key])])),
  });
  return [
    row('statements, BEGIN and COMMIT included,', 'statements'),
    row('round trips', 'roundTrips'),
    row('transactions', 'transactions'),
    row('calls outside of transactions', 'calls'),
  ];
}

function describePeer(cpuMs: number, peer: readonly Mem0Round[]): Row[] {
  if (peer.length === 0) return [];
  const ofPeer = median(peer.map((round) => round.cpuMs));
  return [
    {
      id: 'T3',
      what: 'pipeline: CPU of the three services a conversation, beside mem0',
      value: cpuMs,
      unit: 'ms',
      raw: { what: "mem0's an add", value: ofPeer },
      target: atMost(cpuMs, ofPeer / 10, '<= 1/10'),
    },
    { id: 'T3', what: `${MEM0}: adds/s`, value: median(peer.map(({ perSecond }) => perSecond)), unit: '/s' },
    { id: 'T3', what: `${MEM0}: CPU an add`, value: ofPeer, unit: 'ms' },
  ];
}

function medianOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}
