/** Where somebody lived or worked; what happened once ("visited", "earned a PhD", "was married in 2015") stays true. */
const PAST_STATE =
  /\b(?:lived|worked|weighed|earned(?=.*(?:\b(?:salary|wages?|income)\b|\d.* (?:an?|per) (?:year|month|week|day|hour)\b))|was (?:living|working|based|single)|was (?:married|engaged)(?!.* in (?:19|20)\d\d))\b/u;
/** "Has worked as a nurse since graduating in 2015" still holds. */
const STILL_HOLDS =
  /\bsince\b|(?:\b(?:has|have)|['’](?:s|ve)) (?:(?:not|always|also|only|just|both|long|mostly|already|never|ever|previously|recently) )*(?:lived|worked|weighed|earned)\b/iu;
/** "Ana's manager was Li", "the project lead was Oskar". */
const PAST_ATTRIBUTE =
  /(?:['’]s (?:[\p{L}-]+ ){1,5}?|^[Tt]he (?!user\b)(?:[\p{L}-]+ ){1,5}?)(?:was|were) (?!\p{L}+ed\b|born\b|given\b|sent\b|made\b|taken\b|stolen\b|lost\b|sold\b|built\b|found\b)/u;
/** Words that put a sentence into an earlier time as a whole. */
const PAST_FRAME =
  /\b(?:back then|at (?:the|that) time|in those days|before that|previously|formerly|years ago|years before|as an? (?:child|kid|boy|girl|teenager|student)|in school|when (?:\S+ ){1,4}?(?:was|were|lived|worked|studied)|(?:in|until|till|before) (?:19|20)\d\d)\b/iu;

/**
 * Whether a statement is about how things were at an earlier time ("the user lived in Faro back then", "Ana's manager
 * was Li in 2015"), and so says nothing about the present.
 */
export function speaksOfPast(content: string): boolean {
  return (
    PAST_FRAME.test(content) && !STILL_HOLDS.test(content) && (PAST_STATE.test(content) || PAST_ATTRIBUTE.test(content))
  );
}
