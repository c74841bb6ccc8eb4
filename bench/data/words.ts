import type { Rng } from '@annals/domain';

export const NAMES = words('Ana Ben Carla David Elena Farid Greta Hugo Ines Jonas Klara Luis Maria Nils Olga Paul');
export const VERBS = words('bought painted visited repaired planned borrowed photographed described collected sold');
export const THINGS = words(
  'bicycle guitar garden camera kitchen lamp novel painting piano boat carpet telescope recipe violin tent jacket ' +
    'kayak poem sculpture notebook clock terrace workshop greenhouse record camper puzzle lantern quilt drum',
);
export const QUALITIES = words(
  'old green tiny heavy wooden borrowed broken favourite expensive quiet bright rusty soft',
);
export const PLACES = words(
  'Lisbon Berlin Paris Kyoto Oslo Porto Vienna Dublin Madrid Prague Naples Tallinn Bergen Lyon Ghent Turin Malmo Riga',
);
export const TIMES = words('spring summer autumn winter January February March April May June July August September');

export function pickWord(rng: Rng, list: readonly string[]): string {
  return list[Math.floor(rng.nextFloat() * list.length)]!;
}

function words(list: string): readonly string[] {
  return list.split(' ');
}
