import { FIRST_LIVES } from './first-lives.js';
import { SECOND_LIVES } from './second-lives.js';

interface LifeTurn {
  /** "2026-01-04" */
  readonly day: string;
  readonly words: string;
}

/** What one person says over months, and what a memory has to know at the end. */
export interface LifeScript {
  readonly person: string;
  readonly about: string;
  readonly turns: readonly LifeTurn[];
  /** Parts of statements that hold at the end, in any case. */
  readonly now: readonly string[];
  /** Parts of statements that are over: no statement that holds has them. */
  readonly over: readonly string[];
}

/**
 * Of each person: a line "# name: what it is about", the turns with their days, then the statements that hold ("now:")
 * and those that are over ("over:").
 */
function parseLives(text: string): LifeScript[] {
  const lives = text.trim().split(/^# /mu).slice(1);
  return lives.map((life) => {
    const [head, ...lines] = life.trim().split('\n');
    const [person, about] = head!.split(': ');
    const listOf = (name: string) =>
      lines
        .find((line) => line.startsWith(`${name}: `))!
        .slice(name.length + 2)
        .split('; ');
    const turns = lines
      .filter((line) => /^\d/u.test(line))
      .map((line) => ({ day: line.slice(0, 10), words: line.slice(11) }));
    return { person: person!, about: about!, turns, now: listOf('now'), over: listOf('over') };
  });
}

export const LIFE_SCRIPTS: readonly LifeScript[] = [...parseLives(FIRST_LIVES), ...parseLives(SECOND_LIVES)];
