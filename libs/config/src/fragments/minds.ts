import { defineFragment } from '../fragment.js';
import { integer, oneOf, withDefault } from '../variable.js';

const onOff = () => {
  const { expects, schema } = oneOf(['on', 'off']);
  return { expects, schema: schema.transform((word) => word === 'on') };
};

export const minds = defineFragment({
  title: 'Minds',
  variables: {
    isOn: withDefault('ANNALS_MINDS', onOff(), 'on', {
      description:
        'Whether memories are thought about in the background: insights, consolidation, summaries, app memories. Give all services the same value. `off` asks for no such work and does none; what is there already stays and is served.',
    }),
    busyPercent: withDefault('ANNALS_MINDS_BUSY_PERCENT', integer(1, 100), '10', {
      description:
        'Share of the time in which the minds of a process work: they share one slot, which rests after each use. Waits for a model do not count. It bounds what requests lose to a backlog of background work; 100 works it off as fast as possible.',
      unit: 'percent',
    }),
    nice: withDefault('ANNALS_MINDS_NICE', integer(0, 19), '10', {
      description:
        'Niceness of tom-insight and consolidation-worker: with 10, another process of the machine has about nine times their share of a CPU that both want. 0 is the priority of all others, for a busy machine on which folders of the vault, summaries or erasures come too late. Without effect between containers, and in `npm start`, where all services are one process.',
    }),
    energyCapacity: withDefault('ANNALS_ENERGY_CAPACITY', integer(50, 1_000_000), '1000', {
      description:
        'Energy of a full meter, of which each tenant has one. Background work draws it for each call of a model; below a fifth of it, work waits.',
      unit: 'units',
    }),
    energyRefillPerHour: withDefault('ANNALS_ENERGY_REFILL_PER_HOUR', integer(25, 1_000_000), '100', {
      description:
        'Energy that a meter gains in an hour. It bounds what background work costs a tenant in the long run.',
      unit: 'units',
    }),
  },
});
