import { LIFE_SCRIPTS, type LifeScript } from './lives.fixture.js';
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
  it('is listed what is known wrongly', () => {
    for (const life of LIFE_SCRIPTS) {
      const misses = listMisses(life);
      process.stdout.write(`figure: ${life.person}: ${misses.length} wrong: ${misses.join('; ')}\n`);
      expect(life.turns.length).toBeGreaterThanOrEqual(15);
    }
  });
});
