import { answerHonestly, type FakeRequest, MEMORY_PAIRS } from '@annals/testing';

/** What a request of a mind is for, by what its prompt shows. */
export function parseMind({ userTexts }: Pick<FakeRequest, 'userTexts'>): 'insights' | 'consolidation' | 'summary' {
  const [shown = ''] = userTexts;
  if (shown.startsWith('<person>')) return 'insights';
  return shown.startsWith('<pair p1>') ? 'consolidation' : 'summary';
}

/** An answer that passes the checks of the mind that asks. The same prompt has the same answer. */
export function answerMinds(request: FakeRequest): string {
  const [shown = ''] = request.userTexts;
  const mind = parseMind(request);
  if (mind === 'insights') return JSON.stringify({ insights: [INSIGHT] });
  return mind === 'consolidation' ? decideAboutPairs(shown) : quoteLastLine(shown);
}

export const INSIGHT_SUMMARY = 'The user enjoys a collection.';

const INSIGHT = {
  summary: INSIGHT_SUMMARY,
  tags: ['hobby'],
  confidence: 0.6,
  evidence: ['m1'],
  field: null,
  value: null,
};

const PAIR = /^<pair (p\d+)>\na \([^)]*\): (.*)\nb \([^)]*\): (.*)$/gmu;

function decideAboutPairs(shown: string): string {
  const pairs = [...shown.matchAll(PAIR)].map(([, id, first, second]) => {
    const known = MEMORY_PAIRS.find(({ a, b }) => (a === first && b === second) || (a === second && b === first));
    const decision = known ? answerHonestly(known) : ({ verdict: 'apart' } as const);
    if (decision.verdict === 'merge') return { id, verdict: 'SAME', text: decision.content };
    return { id, verdict: decision.verdict === 'link' ? 'RELATED' : 'DIFFERENT', text: null };
  });
  return JSON.stringify({ pairs });
}

const LINE = /^([mps]\d+)(?: ([^:\n]+))?: (.*)$/gmu;

/** One true sentence: the last summary that is shown, or the beginning of the last message. */
function quoteLastLine(shown: string): string {
  const [, label, speaker, words] = [...shown.matchAll(LINE)].at(-1)!;
  const text = speaker === undefined ? words! : `${speaker} said “${words!.split('. ', 1)[0]!.replace(/\.$/u, '')}”.`;
  return JSON.stringify({ sentences: [{ text, sources: [label] }] });
}
