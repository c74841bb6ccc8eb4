/** Verbs of lasting statements; both halves of a compound need one. */
const VERB =
  '(?:work|live|play|coach|teach|tutor|commute|meditate|maintain|take care of|drink|eat|smoke|study|like|love|enjoy|run|use|ski|surf|sing|write|own|have|lead|manage|volunteer|swim|paint|draw|collect|rent|drive|speak|support|train|freelance|go)';
const THIRD =
  '(?:works|lives|plays|coaches|teaches|tutors|commutes|drinks|eats|smokes|studies|likes|loves|runs|uses|sings|writes|owns|has|leads|manages|drives|speaks)';
const SUBJECT = String.raw`(?:I|[Ww]e)`;
const OTHER = String.raw`(?:[Tt]he user(?:['’]s \p{L}+)?|Another participant \([^()]+\)(?:['’]s \p{L}+)?|[Mm]y \p{L}+|(?!The\b)\p{Lu}[\p{L}'-]+)`;
/** The first half says enough alone: "cook and bake every day" has one end for both. */
const ALONE = '(?:smoke|vape|ski|surf|swim|freelance)';
const OWN_HALVES = new RegExp(
  `^(?<subject>${SUBJECT}) (?<first>${ALONE}|(?:am|are|${VERB}) .+?) and (?:also )?(?<second>(?:am |are )?${VERB}\\b.*)$`,
  'u',
);
const OTHER_HALVES = new RegExp(
  `^(?<subject>${OTHER}) (?<first>(?:is|${THIRD}) .+?) and (?<second>${THIRD}\\b.*)$`,
  'u',
);
/** What the first half opens stays open: "want to buy a house and have kids", "the club where I play and teach". */
const OPEN =
  /\b(?:to (?!the\b|my\b|an?\b|\p{Lu})\p{Ll}+|can|will|would|could|might|that|which|who|where|when|if|because|so|not|no longer|between|both|want|need|help)\b/u;
const POINTS_BACK = /\b(?:her|his|their|it|its|them|there|he|she|they|this|that|both)\b/u;

/** "Allergic to peanuts and shellfish": two single words, or two nouns with an article each. */
const LIST = new RegExp(
  `^(?<head>(?:I|[Ww]e|${OTHER}) (?:(?:am|is|are) (?:not |no longer )?(?:(?:also|very|severely|really) )*(?:allergic to|learning|intolerant to)|plays?|speaks?|eats?|drinks?|own|owns|have|has|likes?|loves?|hates?)) (?<first>\\p{L}+|an? (?:\\p{Ll}+ )?\\p{Ll}+) and (?<second>\\p{L}+|an? (?:\\p{Ll}+ )?\\p{Ll}+)$`,
  'u',
);
const CAPITALISED = /^\p{Lu}/u;
const OF_LANGUAGES = / (?:speaks?|learning)$/u;
/** Pairs of words that name one thing. */
const ONE_THING =
  /^(?:mac and cheese|cookies and cream|fish and chips|rock and roll|rhythm and blues|gin and tonic|salt and pepper|bread and butter|rice and beans|drum and bass|arts and crafts|track and field|research and development|peace and quiet|black and white|bed and breakfast|food and drinks?|friends and family|family and friends|kids and pets|ups and downs)$/iu;

/** Another sentence may be about somebody else: "The user has a sister Mia. Mia lives in Bonn and plays chess". */
const SENTENCE_END = /[.!?;]\s/u;

/** In UTF-16 units. Longer ones are no plain statements. */
const MAX_CLAUSE_LENGTH = 300;

/**
 * The parts of a clause that can each end without the other, with the subject of both: "I work at Zeiss and play chess" is
 * "I work at Zeiss" and "I play chess". A clause that cannot be divided surely is returned as it is.
 */
export function splitCompound(clause: string): string[] {
  if (clause.length > MAX_CLAUSE_LENGTH || SENTENCE_END.test(clause)) return [clause];
  const list = LIST.exec(clause)?.groups;
  if (list) {
    const { head, first, second } = list as Record<'head' | 'first' | 'second', string>;
    const isPair = /^an? /u.test(first) === /^an? /u.test(second);
    // "Plays Dungeons and Dragons", "loves Tom and Jerry": two capitalised words may be one name.
    const mayBeName = CAPITALISED.test(first) && CAPITALISED.test(second) && !OF_LANGUAGES.test(head);
    return isPair && !mayBeName && !ONE_THING.test(`${first} and ${second}`)
      ? [`${head} ${first}`, `${head} ${second}`]
      : [clause];
  }
  const halves = (OWN_HALVES.exec(clause) ?? OTHER_HALVES.exec(clause))?.groups;
  if (!halves) return [clause];
  const { subject, first, second } = halves as Record<'subject' | 'first' | 'second', string>;
  if (OPEN.test(first) || POINTS_BACK.test(second) || / (?:and|or) /u.test(first)) return [clause];
  return [`${subject} ${first.replace(/,$/u, '')}`, ...splitCompound(`${subject} ${second}`)];
}
