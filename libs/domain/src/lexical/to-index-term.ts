import { stem } from '@annals/english';

/**
 * Forms that a stemmer does not map to their base form: "word: forms". Not "lives" and "leaves": memories far more
 * often mention where a person lives and when they leave than lives and leaves.
 */
const FORMS = `
go: went gone goes; buy: bought; get: got gotten; give: gave given; take: took taken; make: made; come: came;
see: saw seen; know: knew known; think: thought; find: found; tell: told; become: became; leave: left; feel: felt;
bring: brought; begin: began begun; keep: kept; hold: held; write: wrote written; stand: stood; hear: heard;
mean: meant; meet: met; run: ran; pay: paid; sit: sat; speak: spoke spoken; lie: lay lain; lead: led;
grow: grew grown; lose: lost; fall: fell fallen; send: sent; build: built; draw: drew drawn; break: broke broken;
spend: spent; rise: rose risen; drive: drove driven; wear: wore worn; choose: chose chosen; eat: ate eaten;
drink: drank drunk; sing: sang sung; swim: swam swum; fly: flew flown; ride: rode ridden; teach: taught;
catch: caught; fight: fought; sell: sold; sleep: slept; win: won; throw: threw thrown; forget: forgot forgotten;
understand: understood; hide: hid hidden; steal: stole stolen; shake: shook shaken; wake: woke woken;
bite: bit bitten; blow: blew blown; freeze: froze frozen; hang: hung; shoot: shot; deal: dealt; dig: dug; feed: fed;
seek: sought; sweep: swept; swing: swung; tear: tore torn; weep: wept; bend: bent; bind: bound; lend: lent; light: lit;
slide: slid; stick: stuck; strike: struck stricken; swear: swore sworn; say: said;
child: children kid kids; man: men; woman: women; person: people; foot: feet; tooth: teeth; mouse: mice;
wife: wives; knife: knives; good: better best; bad: worse worst
`;

const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.split(';').flatMap((line) => {
    const [word, forms] = line.split(':');
    return forms!
      .trim()
      .split(/\s+/)
      .map((form): [string, string] => [form, word!.trim()]);
  }),
);

/** Common words repeat, and stemming is most of the cost of analysing a text. */
const MAX_CACHED_TERMS = 20_000;
const termCache = new Map<string, string>();

/** The index term of a word from `splitWords`: "went" and "goes" are "go". */
export function toIndexTerm(word: string): string {
  const before = termCache.get(word);
  if (before !== undefined) return before;
  const term = stem(IRREGULAR_FORMS.get(word) ?? word);
  if (termCache.size >= MAX_CACHED_TERMS) termCache.clear();
  termCache.set(word, term);
  return term;
}
