import { listSentences } from './list-sentences.js';

const NO_FAILURE =
  /\b(?:no|0|zero|without(?: any)?)\s+(?:\p{L}+\s+){0,2}(?:errors?|failures?|failed|exceptions?|problems?|issues?|conflicts?|warnings?|rejected|rejections?|skipped)\b/giu;
const TOOL_FAILURE =
  /\b(?:fail(?:ed|s|ure|ures|ing)?|error(?:s|ed)?|exception|traceback|panic|crash(?:ed|es)?|fatal|timed out|timeout|denied|refused|rejected|forbidden|unauthori[sz]ed|not found|aborted|cancelled|canceled|unhealthy|unreachable|rolled back|exit(?:ed)?(?: with)?(?: code| status)?[:= ]*[1-9]\d*|(?:status|http)\S{0,3}\s?[45]\d\d|false)\b/iu;
const TOOL_SUCCESS =
  /\b(?:success(?:ful|fully)?|succeeded|passed|completed?|finished|done|ok|exit(?:ed)?(?: with)?(?: code| status)?[:= ]*0|healthy|deployed|published|created|merged|imported|posted|accepted|scheduled|saved|sent|delivered|true)\b|[✓✔✅]/iu;

/** What the result of a tool says of the step before it. */
export function readToolOutcome(result: string): 'success' | 'failure' | 'unknown' {
  const text = result.replace(NO_FAILURE, ' ');
  if (TOOL_FAILURE.test(text)) return 'failure';
  return TOOL_SUCCESS.test(text) ? 'success' : 'unknown';
}

const NEGATION =
  /\b(?:not|no|never|nothing|hardly|barely|almost|nearly|partly|only|without|except|but|however|although|if|when|once|unless|until|should|would|could|might|may|hope|hopefully|maybe|perhaps|will|so far|progress|tell me|let me know)\b|n['’]t\b|['’]ll\b|\?/iu;
const CONFIRMATION =
  /\b(?:works?|worked|working|is live|are live|up and running|is up|are up|is back|are back|fixed|solved|resolved|is done|are done|did it|did the trick|all good|looks good|lgtm|confirmed|is there|are there|everything is (?:there|fine|in place)|exactly what|is online|are online|went through|much faster|I can see (?:it|them)|arrived|perfectly)\b|^(?:perfect|excellent|wonderful|fantastic|awesome|brilliant)(?=\s*[,.!]|\s*$)|\b(?:great|good|nice) (?:work|job)\b|\bwell done\b/iu;
const COMPLAINT =
  /\b(?:broken|breaks?|broke|wrong|incorrect|fail(?:ed|s|ing|ure)?|errors?|undo|revert|roll (?:it )?back|rolled back|down again|is down|are down|crash(?:ed|es)?|empty|missing|problem|issue|stuck|(?:do(?:es)?|did|is|are|was|were|has|have|can|could)(?:n['’]t| not)|cannot|no longer|stop(?:ped)?|try again|retry|same as before|still (?:the same|there|see|down|open))\b/iu;

/** What a user says of the work: the last sentence that tells anything decides. */
export function readUserOutcome(parts: readonly string[]): 'success' | 'failure' | 'unknown' {
  let outcome: 'success' | 'failure' | 'unknown' = 'unknown';
  for (const sentence of listSentences(parts)) {
    if (COMPLAINT.test(sentence.replace(NO_FAILURE, ' '))) outcome = 'failure';
    else if (CONFIRMATION.test(sentence) && !NEGATION.test(sentence)) outcome = 'success';
  }
  return outcome;
}

const UNDONE =
  /\b(?:rolled (?:\p{L}+ ){0,4}back|reverted|undid|undone|restored the (?:old|previous|former) (?:version|state))\b/iu;
const AGENT_FAILURE =
  /(?<!\b(?:the|a|an|any|every|each|all|its|fixed|retried) )\b(?:failed|fails|errored|crashed|timed out|was denied|were denied|was refused|was rejected)\b|\b(?:unable to|could(?:n['’]t| not)|can(?:not|['’]t)|did(?:n['’]t| not) (?:work|succeed|help)|does(?:n['’]t| not) work|not working|without success|unsuccessful(?:ly)?|got an? (?:\p{L}+ )?error|returned an? (?:\p{L}+ )?error|tried to|attempted to|unfortunately|bounced|(?:am|['’]m) sorry|I apologi[sz]e)\b|❌/iu;
const UNFINISHED =
  /\b(?:still (?:to do|to be|need|needs|have to|has to|missing|open|pending|outstanding|left|running|in progress)|(?:remaining|outstanding) (?:steps?|tasks?|work|items?)|not yet|yet to|to be done|to-?dos?|pending|waiting (?:for|on)|in progress|half[- ]?way|not finished|incomplete|(?:first|second|other) half|the rest (?:comes|follows|will|is)|(?:comes?|follows?) (?:tomorrow|later|next))\b|[⏳☐🔲]|^\s*(?:[-*•]\s*)?\[ \]/iu;

/** What a sentence of an agent says of its work, besides steps. */
export function readAgentOutcome(sentence: string): 'undone' | 'failure' | 'unfinished' | null {
  const text = sentence.replace(NO_FAILURE, ' ');
  if (UNDONE.test(text)) return 'undone';
  if (AGENT_FAILURE.test(text)) return 'failure';
  return UNFINISHED.test(text) ? 'unfinished' : null;
}

/** What agents play through, or word for somebody else, they have not done. */
const NO_WORK =
  /\b(?:simulat\p{L}+|dry[- ]run|hypothetical(?:ly)?|(?:mock|test|trial) run|for example|as an example|(?:here is|here['’]s) (?:a|the|your) (?:draft|text|story|letter|mail|e-?mail|reply|answer)|(?:best|kind|warm) regards|yours (?:sincerely|truly|faithfully)|sincerely)\b|^[ \t]*dear \p{Lu}/imu;

/** Whether a message of an agent is about work at all. */
export function isAboutWork(parts: readonly string[]): boolean {
  return !parts.some((part) => NO_WORK.test(part));
}
