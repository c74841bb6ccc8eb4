import { LIFE_SCRIPTS, type LifeScript } from '@annals/testing';
import { SimulatedMemory } from './simulated-memory.fixture.js';

/** The expectations of a life that are not met at its end. */
function listMisses(life: LifeScript): string[] {
  const memory = new SimulatedMemory();
  for (const { day, words } of life.turns) memory.tell(words, day);
  const current = memory.current().map((content) => content.toLowerCase());
  const isSaid = (part: string) => current.some((content) => content.includes(part.toLowerCase()));
  return [
    ...life.now.filter((part) => !isSaid(part)).map((part) => `misses ${part}`),
    ...life.over.filter(isSaid).map((part) => `still has ${part}`),
  ];
}

describe('at the end of a life', () => {
  it.each(LIFE_SCRIPTS.map((life) => [`${life.person}, ${life.about}`, life] as const))(
    'holds what holds, and nothing that is over: %s',
    (_name, life) => {
      expect(life.turns.length).toBeGreaterThanOrEqual(15);
      expect(listMisses(life)).toEqual([]);
    },
  );
});
