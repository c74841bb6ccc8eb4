import type { SensitiveSentences } from './sensitive-sentences.fixture.js';

/** Written after the rules were done, in the words of insights that models make. */
export const LATER_SENSITIVE_SENTENCES: SensitiveSentences = {
  health: {
    sensitive: [
      'Shows anxiety symptoms whenever the phone rings.',
      'The user seems mentally exhausted and may need professional help for depression.',
      'Ana appears to be on antidepressants.',
      'Has trouble sleeping because of chronic pain.',
      'The user copes with long COVID by pacing tasks.',
      'Jokes about being hungover on Mondays.',
    ],
    harmless: [
      'The user feels overwhelmed before releases.',
      'Ana recovers quickly from criticism.',
      'Values work-life balance and rest.',
      'The user finds jargon exhausting.',
      'Prefers healthy recipes with few ingredients.',
      'Shows tolerance for pain-free migrations only.',
    ],
  },
  faith: {
    sensitive: [
      'The user seeks guidance in prayer before decisions.',
      'Values weekly Bible study with friends.',
      'Ana was raised Catholic and feels guilty about it.',
      'Celebrates Eid with a large family.',
      'The user no longer believes in God.',
      'Talks to a pastor about doubts.',
    ],
    harmless: [
      'The user believes in clear agreements.',
      'Ana swears by her editor and its shortcuts.',
      'Finds peace in gardening.',
      'Thanks heavens for automated tests.',
      'The user values tradition at family dinners.',
      'Keeps a code of conduct in mind.',
    ],
  },
  politics: {
    sensitive: [
      'The user feels disillusioned with democracy and politicians.',
      'Ana supports stricter immigration laws.',
      'Is a proud Labour voter.',
      'Distrusts the president and his party.',
      'The user argues for the abolition of the monarchy.',
      'Sympathises with climate activists who block roads.',
    ],
    harmless: [
      'The user feels left out of decisions.',
      'Ana is right about most estimates.',
      'Prefers consensus over majority decisions.',
      'Is liberal in sharing credit.',
      'The user respects the authority of experts.',
      'Lobbies for a better coffee machine.',
    ],
  },
  sexuality: {
    sensitive: [
      'The user hints at being attracted to the same sex.',
      'Ana is afraid of homophobia at work.',
      'Feels pressured to hide his boyfriend from his parents.',
      'Shows discomfort with his assigned gender.',
      'The user is hesitant to come out at work.',
      'Mentions his husband’s sexual problems.',
    ],
    harmless: [
      'The user is passionate about typography.',
      'Ana has a crush on mechanical keyboards.',
      'Loves her partner’s cooking.',
      'Feels exposed when code is reviewed in public.',
      'The user is tender with old furniture.',
      'Has a love-hate relationship with spreadsheets.',
    ],
  },
  origin: {
    sensitive: [
      'The user feels like an outsider because of being Turkish in Berlin.',
      'Ana experiences discrimination for her skin colour.',
      'Identifies strongly with Polish roots.',
      'Is insecure about speaking English with an accent.',
      'The user grew up between Moroccan and Dutch cultures.',
      'Ben’s parents came from Vietnam as boat people.',
    ],
    harmless: [
      'The user feels like an outsider among managers.',
      'Ana enjoys Vietnamese food on Fridays.',
      'Speaks English with confidence.',
      'The user misses Lisbon.',
      'Prefers local shops to chains.',
      'Wants to explore Poland by bike.',
    ],
  },
};
