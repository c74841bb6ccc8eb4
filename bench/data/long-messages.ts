import type { Rng } from '@annals/domain';
import { createSentence } from './memories.ts';
import { NAMES, pickWord, PLACES, QUALITIES, THINGS, TIMES, VERBS } from './words.ts';

const MIN_LENGTH = 2_000;
const MAX_LENGTH = 8_000;

type Piece = (rng: Rng, serial: number) => string;

/** What long answers of assistants and pasted texts are made of. */
const PIECES: readonly Piece[] = [
  (rng, serial) =>
    `${createSentence(rng, serial)} ${createSentence(rng, serial + 1)} ${createSentence(rng, serial + 2)}`,
  (rng) =>
    `Whether a ${pick(rng, QUALITIES)} ${pick(rng, THINGS)} is worth its price depends on how often it is needed: ` +
    `most people in ${pick(rng, PLACES)} rent one, and those who keep theirs longer than ${count(rng)} months rarely regret it.`,
  (rng) => `## The ${pick(rng, THINGS)} of ${pick(rng, NAMES)}`,
  (rng) =>
    Array.from(
      { length: 4 },
      () => `- **${pick(rng, THINGS)}**: ${pick(rng, QUALITIES)}, about ${count(rng)} euros, ${pick(rng, PLACES)}`,
    ).join('\n'),
  (rng) =>
    `You could ask ${pick(rng, NAMES)} first; she ${pick(rng, VERBS)} hers yesterday. Did it arrive before the ` +
    `${count(rng)}th? If not, next ${pick(rng, TIMES)} is soon enough.`,
  (rng) => `| ${pick(rng, THINGS)} | ${pick(rng, QUALITIES)} | ${count(rng)} | ${pick(rng, PLACES)} |`,
  (rng) =>
    `const ${pick(rng, THINGS)} = await find${pick(rng, PLACES)}({ limit: ${count(rng)}, colour: '${pick(rng, QUALITIES)}' });`,
];

/** A message of 2 to 8 kB in paragraphs, lists, tables and code; no two are the same. */
export function createLongMessage(rng: Rng, serial: number): string {
  const length = MIN_LENGTH + rng.nextFloat() * (MAX_LENGTH - MIN_LENGTH);
  let text = '';
  while (text.length < length) {
    const piece = PIECES[Math.floor(rng.nextFloat() * PIECES.length)]!;
    text += `${piece(rng, serial)}\n\n`;
  }
  return text.slice(0, MAX_LENGTH).trim();
}

const pick = pickWord;
const count = (rng: Rng) => 2 + Math.floor(rng.nextFloat() * 90);
