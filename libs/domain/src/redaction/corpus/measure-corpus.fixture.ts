import { runAtOnce } from '../../text/sliced.js';
import { findPii } from '../find-pii.js';
import { type CorpusCase, type CorpusGroup, readCorpusText } from './corpus-group.fixture.js';

export interface CorpusResult {
  readonly positives: number;
  readonly negatives: number;
  readonly missed: readonly string[];
  readonly falsePositives: readonly string[];
}

/** A positive is found when all of its marks are redacted as their type, and no letter or digit beside them. */
export function measureGroup({ type, positives, negatives }: CorpusGroup): CorpusResult {
  const detect = ({ text, country }: CorpusCase) => runAtOnce(findPii(text, country));
  return {
    positives: positives.length,
    negatives: negatives.length,
    missed: positives.map(readCorpusText).flatMap((item) => {
      const spans = detect(item);
      const units = Array.from({ length: item.text.length }, (_, offset) => {
        const isMarked = item.marks.some(([start, end]) => start <= offset && offset < end);
        const isSpanned = spans.some((span) => span.type === type && span.start <= offset && offset < span.end);
        return isMarked === isSpanned || /[^\p{L}\p{N}]/u.test(item.text.charAt(offset));
      });
      return units.every(Boolean) && spans.length > 0 ? [] : [item.text];
    }),
    falsePositives: negatives
      .map(readCorpusText)
      .filter((item) => detect(item).length > 0)
      .map(({ text }) => text),
  };
}
