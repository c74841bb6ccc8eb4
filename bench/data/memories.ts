import type { NewMemory, Rng } from '@annals/domain';
import { newMemory } from '@annals/testing';
import { NAMES, pickWord, PLACES, QUALITIES, THINGS, TIMES, VERBS } from './words.ts';

/** A sentence in the style of memories, about 90 characters; unique by `serial`. */
export function createSentence(rng: Rng, serial: number): string {
  const [name, verb, quality, thing, place, time, friend] = [NAMES, VERBS, QUALITIES, THINGS, PLACES, TIMES, NAMES].map(
    (list) => pickWord(rng, list),
  );
  return `${name} ${verb} the ${quality} ${thing} in ${place} last ${time} and told ${friend} about it (entry ${serial}).`;
}

/** A query with words that memories use. */
export function createQuestion(rng: Rng): string {
  const [name, verb, thing, place] = [NAMES, VERBS, THINGS, PLACES].map((list) => pickWord(rng, list));
  return `What was the ${thing} that ${name} ${verb} in ${place}?`;
}

export function createMemory(content: string, now: number): NewMemory {
  return newMemory(content, now, {
    category: 'history',
    type: 'episodic',
    origin: 'extraction',
    provider: 'stub',
    model: 'stub',
  });
}
