import { listSentences } from './list-sentences.js';
import { isPastAction } from './to-instruction.js';

/** What somebody asks an agent to do. */
export type Request =
  /** `goal`: in the words of the request, "publish release 2.4"; `adds`: to the work in hand, "also …", "use …". */
  { readonly kind: 'work'; readonly goal: string; readonly adds: boolean } | { readonly kind: 'information' };

const ADDED =
  /^(?:and\s+|also\b|then\b|now\b|next\b|additionally\b|after that\b|one more thing\b|yes\b|ok(?:ay)?\b)[,:]?\s*/iu;
const ADDRESSED = /^(?:(?:hi|hey|hello|@?executor|@?supervisor|team|agent)\b[\s,:!]*)+/iu;
const POLITE =
  /^(?:please\b,?|(?:can|could|would|will) (?:you|somebody|someone|the executor)(?: please| kindly)?\b|would you mind\b|I(?:['’]d| would) like (?:you |the executor )?to\b|I (?:need|want) (?:you |the executor )?to\b|we (?:need|have) to\b|let['’]?s\b|go ahead and\b|your (?:task|job)(?: is)?(?: to|:)?|(?:task|goal)\s*:)\s*(?:please\s+)?/iu;
/** "Book my trip": a verb and its object. */
const BARE =
  /^(?!(?:the|a|an|my|our|your|it|its|this|that|there|these|those|is|are|was|were|what|which|who|where|when|why|how|in|on|at|for|of|with|from|to|by|about|as|like|after|before|during|since|and|or|but|so|if|yes|no|all|both|each|not|only|just|thanks?|great|nice|good|got|saw|i|we|you|he|she|they)\b)\p{L}+(?: (?:up|out|down|off|on|back|over|in))? (?:the|a|an|my|our|all|this|that|these|those|every|each|both)\b/iu;
/** To be answered in words; nobody does anything. */
const INFORMATION =
  /^(?:tell|explain|show|describe|summari[sz]e|list|suggest|simulate|rehearse|(?:get|send|fetch|bring|read) me|check|recommend|advise|give|help|draft|compose|imagine|pretend|repeat|say|act|plan|think|outline|remind me|translate|rewrite|proofread|name|compare|find out|walk me|teach|play|answer\b.*\bquestions?|know|hear|understand|see|be|have)\b/iu;
/** How to go on with the work in hand: "Use the staging region." */
const REFINES =
  /^(?:use|make sure|ensure|keep|include|skip|leave|(?:begin|start) with|wait|mind|continue|proceed|go (?:on|ahead)|do (?:it|that|so)|take (?:this|care)|confirm|verify|double-check|remember|note|don['’]t|do not)\b/iu;
/** A text is asked for: what stands in it, nobody has done. */
const TEXT =
  /^(?:write|draft|prepare|compose|formulate|word|create|make|finish)\s(?:\p{L}+\s){0,3}(?:mail|e-?mail|letter|text|message|answer|reply|speech|post|story|poem|essay|song|statement|bio|cv|resume|review|script|article|diary|report card)\b/iu;
/** Behind the goal: for whom, by when, why. */
const TAIL =
  /[,;:]?\s+(?:please|for me|for us|and (?:let|tell|then)|so that|because|before|by (?:the|mon|tues|wednes|thurs|fri|satur|sun|tomorrow|tonight)|as soon as|today|tomorrow|tonight|asap|again|when you)\b.*$|[,;:.!?]+\s.*$|[\s.!?]+$/iu;
/** In UTF-16 units. */
const MAX_SENTENCE = 400;
const MAX_GOAL = 140;

/**
 * The last request of what somebody says themselves; null without one. Agents ask politely or by name: what they say in
 * the imperative otherwise is advice or a plan.
 */
export function readRequest(parts: readonly string[], { isAgent }: { readonly isAgent: boolean }): Request | null {
  return listSentences(parts).reduce<Request | null>((last, sentence) => readSentence(sentence, isAgent) ?? last, null);
}

function readSentence(sentence: string, isAgent: boolean): Request | null {
  if (sentence.length > MAX_SENTENCE) return null;
  const addressed = sentence.replace(ADDRESSED, '');
  const adds = ADDED.test(addressed);
  const text = addressed.replace(ADDED, '');
  const asked = text.replace(POLITE, '');
  const isPolite = asked !== text;
  if (!isPolite && text.endsWith('?')) return { kind: 'information' };
  if (!isPolite && (!isBareRequest(text) || (isAgent && addressed === sentence))) return null;
  if (INFORMATION.test(asked) || TEXT.test(asked)) return { kind: 'information' };
  const goal = asked.replace(TAIL, '');
  return goal.length > MAX_GOAL || !/\s/u.test(goal) ? null : { kind: 'work', goal, adds: adds || REFINES.test(goal) };
}

function isBareRequest(text: string): boolean {
  const [first = ''] = text.split(/\s/u);
  return BARE.test(text) && !isPastAction(first, { withSubject: false });
}
