/** Irregular verbs: the base form, then its other forms that the stemmer does not bring together with it. */
const IRREGULAR_VERBS =
  'be:is,are,am,was,were,been have:has,had do:does,did,done go:went,gone get:got,gotten come:came see:saw,seen ' +
  'make:made take:took,taken give:gave,given find:found tell:told feel:felt leave:left keep:kept begin:began,begun ' +
  'lose:lost meet:met buy:bought bring:brought think:thought teach:taught catch:caught fight:fought sell:sold say:said ' +
  'pay:paid send:sent spend:spent build:built hold:held lead:led run:ran win:won sit:sat stand:stood ' +
  'understand:understood write:wrote,written drive:drove,driven ride:rode,ridden rise:rose,risen break:broke,broken ' +
  'speak:spoke,spoken choose:chose,chosen freeze:froze,frozen wake:woke,woken steal:stole,stolen swear:swore,sworn ' +
  'wear:wore,worn tear:tore,torn grow:grew,grown fly:flew,flown know:knew,known throw:threw,thrown draw:drew,drawn ' +
  'eat:ate,eaten fall:fell,fallen forget:forgot,forgotten become:became sing:sang,sung swim:swam,swum drink:drank,drunk ' +
  'ring:rang,rung sink:sank,sunk hide:hid,hidden slide:slid sleep:slept sweep:swept deal:dealt mean:meant dream:dreamt ' +
  'learn:learnt burn:burnt lend:lent bend:bent feed:fed hang:hung dig:dug stick:stuck shoot:shot seek:sought lay:laid ' +
  'hear:heard shake:shook,shaken rebuild:rebuilt can:could will:would shall:should may:might';

const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  IRREGULAR_VERBS.split(' ').flatMap((entry) => {
    const [base, forms] = entry.split(':') as [string, string];
    return forms.split(',').map((form) => [form, base] as const);
  }),
);

/** "went" gives "go"; regular forms, and words that are no verb, are unchanged. `word` is in lower case. */
export function toBaseForm(word: string): string {
  return BASE_FORMS.get(word) ?? word;
}
