import { SeededRng } from '@annals/domain';
import {
  answerHonestly,
  answerFromPrompt,
  type FakeRequest,
  lie,
  type LabelledMemoryPair,
  parseMind,
  parseShownLines,
  quoteLine,
  renderDecisions,
} from '@annals/testing';
import { createHash } from 'node:crypto';

const SHARE_OF_LIES = 0.2;
/** Not every change finds something to change. */
const TRIES = 20;

/** What the liar changes in a true sentence. Null: the sentence has nothing of the kind. */
const SPOILERS: Readonly<Record<string, (text: string) => string | null>> = {
  number: (text) => change(text, /\b\d+\b(?! (?:March|May|June|August))/u, (figures) => String(Number(figures) + 1)),
  name: (text) => change(text, /(?<=[\p{Ll},] )(?!March|May|June|August)\p{Lu}\p{Ll}+/u, () => 'Zelda'),
  date: (text) => change(text, /\b(?:March|May|June|August)\b/u, (month) => (month === 'May' ? 'June' : 'May')),
  negation: (text) =>
    change(text, /\bnever \p{L}+/u, (words) => words.replace('never', 'always')) ??
    change(text, /\b(?:moved|bought|paid|met)\b/u, (verb) => `never ${verb}`),
};

function change(text: string, pattern: RegExp, replace: (found: string) => string): string | null {
  return pattern.test(text) ? text.replace(pattern, replace) : null;
}

/** A merge in words, whatever the order of the two. */
export function describeMerge(a: string, b: string, text: string): string {
  return `${[a, b].toSorted().join(' + ')} = ${text}`;
}

/**
 * A model that answers honestly but for a fifth of its statements, of which a number, name, date or negation is wrong.
 * Which ones depends on the seed and on what it is asked, not on the order of the calls.
 */
export class LyingModel {
  /** False statements by mind. */
  readonly lies = { insights: new Set<string>(), consolidation: new Set<string>(), summary: new Set<string>() };

  constructor(
    private readonly seed: number,
    private readonly pairs: readonly LabelledMemoryPair[],
  ) {}

  readonly answer = (request: FakeRequest): string => {
    switch (parseMind(request)) {
      case 'summary':
        return this.summarize(request);
      case 'insights':
        return this.infer(request);
      case 'consolidation':
        return renderDecisions(request, ({ a, b }) => this.decide(a, b));
      default:
        return answerFromPrompt(request);
    }
  };

  private summarize(request: FakeRequest): string {
    const sentences = parseShownLines(request)
      .slice(-3)
      .map((line) => ({
        text: this.maybeSpoil('summary', quoteLine(line).replaceAll(/[“”]/gu, '')),
        sources: [line.label],
      }));
    return JSON.stringify({ sentences });
  }

  private infer(request: FakeRequest): string {
    const [shown = ''] = request.userTexts;
    const [, label, said] = [...shown.matchAll(/^(m\d+) [^:\n]*: I (.*)\.$/gmu)].at(-1) ?? [];
    if (label === undefined || said === undefined) return JSON.stringify({ insights: [] });
    const summary = this.maybeSpoil('insights', `The user is proud that the user ${said}.`);
    const insight = { summary, tags: ['pride'], confidence: 0.6, evidence: [label], field: null, value: null };
    return JSON.stringify({ insights: [insight] });
  }

  private decide(a: string, b: string) {
    const pair = this.pairs.find((known) => (known.a === a && known.b === b) || (known.a === b && known.b === a));
    if (!pair) return { verdict: 'apart' } as const;
    const honest = answerHonestly(pair);
    const rng = this.rngFor(a, b);
    if (rng.nextFloat() >= SHARE_OF_LIES) return honest;
    const told = Array.from({ length: TRIES }, () => lie(pair, rng)).find(
      (one) => one.verdict === 'merge' && (honest.verdict !== 'merge' || one.content !== honest.content),
    );
    if (told?.verdict !== 'merge') return honest;
    this.lies.consolidation.add(describeMerge(a, b, told.content));
    return told;
  }

  private maybeSpoil(mind: 'insights' | 'summary', text: string): string {
    const rng = this.rngFor(mind, text);
    if (rng.nextFloat() >= SHARE_OF_LIES) return text;
    const spoiled = Object.values(SPOILERS).flatMap((spoil) => spoil(text) ?? []);
    if (spoiled.length === 0) return text;
    const told = spoiled[Math.floor(rng.nextFloat() * spoiled.length)]!;
    this.lies[mind].add(told);
    return told;
  }

  private rngFor(...about: readonly string[]): SeededRng {
    return new SeededRng(
      createHash('sha256')
        .update([this.seed, ...about].join('\n'))
        .digest()
        .readUInt32BE(),
    );
  }
}
