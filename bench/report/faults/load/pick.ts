import type { Rng } from '@annals/domain';

/** One of the items; undefined when there are none. */
export function pick<T>(rng: Rng, items: readonly T[]): T | undefined {
  return items[Math.floor(rng.nextFloat() * items.length)];
}

/** One of the names, each as often as its weight says. */
export function pickWeighted<Name extends string>(rng: Rng, weights: Readonly<Record<Name, number>>): Name {
  const names = Object.keys(weights) as Name[];
  let left = rng.nextFloat() * names.reduce((sum, name) => sum + weights[name], 0);
  return names.find((name) => (left -= weights[name]) < 0) ?? names.at(-1)!;
}
