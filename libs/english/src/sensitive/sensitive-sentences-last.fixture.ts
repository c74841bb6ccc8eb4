import type { SensitiveSentences } from './sensitive-sentences.fixture.js';

/** Written after the lists had grown for the last time. */
export const LAST_SENSITIVE_SENTENCES: SensitiveSentences = {
  health: {
    sensitive: [
      'Worries that the lump is a tumour.',
      'The user mentions a rehab stay with relief.',
      'Ana seems to have bipolar mood swings.',
      'Takes pills to fall asleep.',
    ],
    harmless: [
      'The user is a workaholic by own admission.',
      'Ana finds slow builds painful.',
      'Cures boredom with puzzles.',
      'Feels sharp after a short walk.',
    ],
  },
  faith: {
    sensitive: [
      'The user finds strength in her church community.',
      'Ana keeps Ramadan with her parents.',
      'Doubts religion since the accident.',
      'Wants a rabbi at the wedding.',
    ],
    harmless: [
      'The user trusts gut feeling over figures.',
      'Ana worships good coffee machines less than good tea.',
      'Preaches clean desks to nobody.',
      'Is devoted to the choir of the school.',
    ],
  },
  politics: {
    sensitive: [
      'The user leans right on taxes.',
      'Ana is a committed feminist.',
      'Fears what the next government will do.',
      'Went on strike with the union.',
    ],
    harmless: [
      'The user campaigns for shorter stand-ups.',
      'Ana governs the backlog firmly.',
      'Prefers parties with few guests.',
      'Opposes the redesign of the menu.',
    ],
  },
  sexuality: {
    sensitive: [
      'The user is openly queer.',
      'Ana prefers dating women.',
      'Is unsure about his sexuality.',
      'The user met a lover on Grindr.',
    ],
    harmless: [
      'The user is openly critical of the plan.',
      'Ana prefers dating documents by ISO.',
      'Is attracted to remote work.',
      'The user met a friend on a train.',
    ],
  },
  origin: {
    sensitive: [
      'The user is proud to be Kurdish.',
      'Ana has Ghanaian parents.',
      'Feels foreign as an immigrant.',
      'Is tired of questions about ethnicity.',
    ],
    harmless: [
      'The user is proud of the Kurdish cookbook.',
      'Ana watches Ghanaian football.',
      'Feels foreign in the new codebase.',
      'Is tired of questions about the roadmap.',
    ],
  },
};
