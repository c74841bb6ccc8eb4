import { MEMORY_PAIRS } from '../../scenarios/memory-pairs/memory-pairs.js';
import { answerHonestly, type ScriptedDecision } from '../../scenarios/scripted-pair-answers.js';
import type { FakeRequest } from './fake-request.js';

type MindName = 'insights' | 'consolidation' | 'summary';
type Prompt = Pick<FakeRequest, 'userTexts'>;

const PROMPTS: Readonly<Record<MindName, RegExp>> = {
  insights: /^<person>.*\n<activity>\n/u,
  consolidation: /^<pair p1>/u,
  summary: /\nLength: at most \d+ words\.$/u,
};

/** Which mind asks; null for a prompt of anything else. */
export function parseMind({ userTexts }: Prompt): MindName | null {
  const shown = userTexts[0] ?? '';
  return (Object.keys(PROMPTS) as MindName[]).find((mind) => PROMPTS[mind].test(shown)) ?? null;
}

/** One of the two memories of each pair that a prompt shows, with its name. */
export interface ShownPair {
  /** `p1`, `p2`, …. */
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

const PAIR = /^<pair (?<name>p\d+)>\na \([^)]*\): (?<a>.*)\nb \([^)]*\): (?<b>.*)$/gmu;

/** The pairs of memories in a prompt of consolidation, in order. */
export function parseShownPairs({ userTexts }: Prompt): ShownPair[] {
  return [...(userTexts[0] ?? '').matchAll(PAIR)].map(({ groups }) => groups as unknown as ShownPair);
}

/** What a prompt of a summary shows: messages, and sentences of earlier summaries, which have no speaker. */
export interface ShownLine {
  /** `m1`, `p1` or `s1`. */
  readonly label: string;
  readonly speaker: string | undefined;
  readonly text: string;
}

const LINE = /^([mps]\d+)(?: ([^:\n]+))?: (.*)$/gmu;

export function parseShownLines({ userTexts }: Prompt): ShownLine[] {
  return [...(userTexts[0] ?? '').matchAll(LINE)].map(([, label, speaker, text]) => ({
    label: label!,
    speaker,
    text: text!,
  }));
}

/** A sentence that keeps what a shown line says: its beginning as a quotation, or the sentence itself. */
export function quoteLine({ speaker, text }: ShownLine): string {
  if (speaker === undefined) return text;
  return `${speaker} said “${text.split('. ', 1)[0]!.replace(/\.$/u, '')}”.`;
}

/**
 * An answer that passes the checks of the mind that asks, and the same for the same prompt. Pairs of memories that are
 * not among the labelled ones stay apart.
 */
export function answerMind(request: Prompt): string {
  switch (parseMind(request)) {
    case 'insights':
      return JSON.stringify({ insights: [INSIGHT] });
    case 'consolidation':
      return renderDecisions(request, ({ a, b }) => {
        const known = MEMORY_PAIRS.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
        return known ? answerHonestly(known) : { verdict: 'apart' };
      });
    default: {
      const last = parseShownLines(request).at(-1)!;
      return JSON.stringify({ sentences: [{ text: quoteLine(last), sources: [last.label] }] });
    }
  }
}

const INSIGHT = {
  summary: 'The user enjoys a collection.',
  tags: ['hobby'],
  confidence: 0.6,
  evidence: ['m1'],
  field: null,
  value: null,
};

const VERDICTS = { merge: 'SAME', link: 'RELATED', apart: 'DIFFERENT' } as const;

/** The answer with these decisions about the pairs of a prompt of consolidation. */
export function renderDecisions(request: Prompt, decide: (pair: ShownPair) => ScriptedDecision): string {
  const pairs = parseShownPairs(request).map((pair) => {
    const decision = decide(pair);
    const text = decision.verdict === 'merge' ? decision.content : null;
    return { id: pair.name, verdict: VERDICTS[decision.verdict], text };
  });
  return JSON.stringify({ pairs });
}
