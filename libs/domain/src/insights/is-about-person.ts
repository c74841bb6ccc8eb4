import { findWord } from '../speakers/attribute-statement.js';

/** Verbs with which a sentence about the person begins when it leaves them out: "Prefers short answers." */
const OPENING_VERBS =
  'accepts adapts admits adopts agrees aims apologises apologizes appears appreciates approaches asks avoids becomes blames breaks brings builds calms cares celebrates changes checks claims comes communicates compares complains confides connects considers copes corrects counts criticises criticizes cuts dares deals decides defends delays delegates demands depends describes dislikes dismisses doubts draws dreads eases encourages engages enjoys enters excels expects experiences explains expresses faces falls favours favors fears feels finds focuses follows forgets forgives gains gets gives goes grows handles has hates hesitates hides hopes ignores improves insists is jokes judges keeps knows lacks laughs leads leaves likes links listens longs looks loses loves makes means mentions misses moves names needs notices notes offers opens organises organizes owns pays performs plans plays points pours praises prefers prepares pushes puts questions raises reacts reads refers refuses regains regrets rejects relaxes relies remembers repeats replies reports resents respects responds returns reveals rewards says seeks seems sees sends sets shares shies shows smiles solves sounds speaks spends stands starts stays stops struggles suggests supports suspects switches takes talks teases tells tends tests thanks thinks thrives tolerates treats trusts tries turns underestimates understands uses values wants weighs welcomes withdraws wishes wonders words works worries writes ' +
  'asked became began did doubted enjoyed felt got had liked made mentioned preferred said seemed showed sounded spoke struggled told took trusted was wanted worried wrote';
const WITHOUT_SUBJECT = new RegExp(
  `^(?:\\p{L}+ly |often |always |now |still |never |also )?(?:${OPENING_VERBS.replaceAll(' ', '|')})(?!\\p{L})`,
  'iu',
);
const USER = /(?<!\p{L})users?(?!\p{L})/iu;

/** Whether a sentence speaks of the person: by one of their names, as "the user", or of nobody else by name. */
export function isAboutPerson(summary: string, names: readonly string[]): boolean {
  return USER.test(summary) || names.some((name) => findWord(summary, name) >= 0) || WITHOUT_SUBJECT.test(summary);
}

/** The sentence with its subject, where it leaves the person out. */
export function addSubject(summary: string): string {
  return WITHOUT_SUBJECT.test(summary) ? `The user ${summary.charAt(0).toLowerCase()}${summary.slice(1)}` : summary;
}
