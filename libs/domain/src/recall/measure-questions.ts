import { splitSentences } from '@annals/english';
import { ANALYSIS_SLICE_UNITS } from '../lexical/analyze-text.js';
import { createSliceMeter, workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import type { JoinedCandidate } from './types.js';

const MARK = /[?？]/u;
const QUESTION = /[?？][.!?…]*["'”’)\]]*$/u;
const ASKS_FOR_QUESTIONS = /\b(?:ask(?:s|ed|ing)?|questions?)\b/i;

/**
 * Measures which share of an answer is questions, 0–1 (docs/reference/recall.md#turns-that-only-ask); of a fact with its
 * turn, whose relevance it has, the share of the turn. 0 where `query` is about what somebody asked.
 */
export function createQuestionMeter(
  query: string,
): (answer: Pick<JoinedCandidate, 'candidate' | 'turn'>) => Sliced<number> {
  const wantsQuestions = ASKS_FOR_QUESTIONS.test(query);
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  return function* measureQuestions({ candidate, turn }) {
    const { content } = turn ?? candidate;
    if (wantsQuestions || !MARK.test(content)) return 0;
    yield* meter(content.length);
    let [asked, all] = [0, 0];
    const addSentences = (slice: string) => {
      for (const sentence of splitSentences(slice)) {
        all += sentence.length;
        if (QUESTION.test(sentence)) asked += sentence.length;
      }
    };
    yield* workInSlices(content, addSentences, ANALYSIS_SLICE_UNITS);
    return all === 0 ? 0 : asked / all;
  };
}
