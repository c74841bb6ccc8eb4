import { STOP_WORDS } from '../words/word-lists.js';
import { stem } from '../words/analyze-terms.js';
import type { FactToken } from './fact-tokens.js';

/** What a clause says not to be so, or not to be so any more. */
export interface Negation {
  readonly from: number;
  readonly to: number;
  readonly kind: 'not' | 'ended';
  /** Stems of what is negated, in order; not empty. */
  readonly words: readonly string[];
}

const NOT =
  /^(?:not|never|no|nobody|nothing|none|neither|nor|without|hardly|cannot|.+n't|(?:do|does|did|is|are|was|were|ca|wo|would|could|should|has|have)nt)$/u;
const CLAUSE_END = /^(?:and|but|because|so|while|although|though|when|if|since|whereas|yet|who|which)$/u;
const CLAUSE_MARK = /^[.!?…;:,()\n–—]$/u;
/** Words without which a negation means the same. */
const FILLERS = new Set(
  (
    'any anymore more longer really very quite just actually also now currently still so much lot too truly absolutely simply ' +
    'ever yet at all even either be being been get got have has had do does did going'
  ).split(' '),
);
const MAX_WORDS = 8;
/** "Not only French", "no doubt", "nothing but". */
const NO_NEGATION: Readonly<Record<string, RegExp>> = {
  not: /^(?:only|just|merely|to|sure)$/u,
  no: /^(?:doubt|matter|problem|wonder|worries)$/u,
  nothing: /^(?:but)$/u,
};

/** The negations of a text, in order. Each ends where its clause does. */
export function listNegations(tokens: readonly FactToken[]): Negation[] {
  const negations: Negation[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const head = readHead(tokens, at);
    if (!head) continue;
    const negation = readScope(tokens, at, head);
    if (negation) negations.push(negation);
    at = head.next - 1;
  }
  return negations;
}

interface Head {
  readonly kind: Negation['kind'];
  readonly next: number;
  /** "Gluten-free": what is negated stands before. */
  readonly words?: readonly string[];
}

function readHead(tokens: readonly FactToken[], at: number): Head | null {
  const { lower, isMark } = tokens[at]!;
  if (isMark) return null;
  const [second, third] = [tokens[at + 1]?.lower ?? '', tokens[at + 2]?.lower ?? ''];
  if (lower === 'no' && second === 'longer') return { kind: 'ended', next: at + 2 };
  if (/^(?:stopped|stop|stops|ceased)$/u.test(lower) && /ing$/u.test(second)) return { kind: 'ended', next: at + 1 };
  if (/^(?:quit|quits|quitting|former|formerly)$/u.test(lower)) return { kind: 'ended', next: at + 1 };
  if (/^(?:gave|given|gives|giving|give)$/u.test(lower) && second === 'up') return { kind: 'ended', next: at + 2 };
  const isHabit =
    lower === 'used' &&
    second === 'to' &&
    !/^(?:is|are|was|were|be|been|get|got|gets|getting|am|'s)$/u.test(tokens[at - 1]?.lower ?? '');
  if (isHabit) return { kind: 'ended', next: at + 2 };
  if (second === 'free' && tokens[at + 1]!.isJoined) return { kind: 'not', next: at + 2, words: [stem(lower)] };
  if (!NOT.test(lower) || NO_NEGATION[lower]?.test(second) || (lower === 'no' && /^\d+$/u.test(third || second)))
    return null;
  return { kind: 'not', next: at + 1 };
}

function readScope(tokens: readonly FactToken[], from: number, { kind, next, words: before }: Head): Negation | null {
  if (before) return { from, to: next, kind, words: before };
  const words: string[] = [];
  let isEnded = kind === 'ended';
  let to = next;
  for (; to < tokens.length && words.length < MAX_WORDS; to += 1) {
    const { text, lower, isMark } = tokens[to]!;
    if ((isMark && CLAUSE_MARK.test(text)) || CLAUSE_END.test(lower) || NOT.test(lower)) break;
    if (lower === 'anymore' || (lower === 'any' && /^(?:more|longer)$/u.test(tokens[to + 1]?.lower ?? '')))
      isEnded = true;
    const word = lower.replaceAll("'", '');
    if (!isMark && !STOP_WORDS.has(word) && !FILLERS.has(word)) words.push(stem(word));
  }
  return words.length === 0 ? null : { from, to, kind: isEnded ? 'ended' : 'not', words };
}
