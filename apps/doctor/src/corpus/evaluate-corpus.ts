import type { StructuredOutputMode } from '@annals/llm-core';
import { fail, type Finding, formatUsd, ok, warn } from '../report.js';
import type { CorpusOutcome } from './run-corpus.js';
import { addScores } from './score-answer.js';

/** A share below GOOD_… is a warning, below USABLE_… a failure. */
const GOOD_FACTS = 0.8;
const USABLE_FACTS = 0.5;
const GOOD_GROUNDING = 0.95;
const USABLE_GROUNDING = 0.7;

export function evaluateCorpus(provider: string, outcome: CorpusOutcome): Finding[] {
  const { scores, failures, spentMicroUsd } = outcome;
  const failed = failures.map((reason) =>
    fail(`${provider}.corpus`, reason, 'Fix this first: the other checks need these answers.'),
  );
  if (scores.length === 0) return failed;
  const grounding = evaluateGrounding(provider, outcome);
  return [
    ...failed,
    evaluateParsing(provider, outcome),
    evaluateFacts(provider, outcome),
    { ...grounding, found: `${grounding.found} Spent ${formatUsd(spentMicroUsd)}.` },
  ];
}

const OTHER_MODEL = 'Use a larger model for extraction.';

function evaluateParsing(provider: string, { scores }: CorpusOutcome): Finding {
  const { unreadable, repairs } = addScores(scores);
  const check = `${provider}.answers`;
  if (unreadable > 0) {
    const found = `${unreadable} of ${scores.length} answers of ${provider} could not be parsed.`;
    return fail(check, found, `${OTHER_MODEL} On a self-hosted server, check that its JSON mode is enabled.`);
  }
  if (repairs > 0) {
    const found = `${provider} answered ${scores.length} conversations, but not in valid JSON (repairs: ${repairs}).`;
    return warn(check, found, OTHER_MODEL);
  }
  return ok(check, `${provider} answered ${scores.length} sample conversations in the required format.`);
}

function evaluateFacts(provider: string, { scores }: CorpusOutcome): Finding {
  const { facts, foundFacts, mistakes } = addScores(scores);
  const check = `${provider}.facts`;
  const found = `${provider} found ${foundFacts} of ${facts} expected facts.`;
  if (mistakes > 0) {
    return warn(check, `${found} It also returned ${mistakes} that no user stated.`, OTHER_MODEL);
  }
  if (foundFacts >= facts * GOOD_FACTS) return ok(check, found);
  return foundFacts >= facts * USABLE_FACTS ? warn(check, found, OTHER_MODEL) : fail(check, found, OTHER_MODEL);
}

function evaluateGrounding(provider: string, { scores }: CorpusOutcome): Finding {
  const { memories, grounded } = addScores(scores);
  const check = `${provider}.grounding`;
  const found = `${grounded} of its ${memories} memories are grounded: every quote occurs in its message.`;
  if (memories > 0 && grounded >= memories * GOOD_GROUNDING) return ok(check, found);
  const advice = `${OTHER_MODEL} Memories that are not grounded are quarantined.`;
  return memories > 0 && grounded >= memories * USABLE_GROUNDING
    ? warn(check, found, advice)
    : fail(check, found, advice);
}

export function evaluateStructuredOutput(provider: string, mode: StructuredOutputMode | 'unknown'): Finding[] {
  const check = `${provider}.structure`;
  if (mode === 'unknown') return [];
  if (mode === 'schema') return [ok(check, `${provider} supports structured output by JSON schema.`)];
  if (mode === 'json_object') return [ok(check, `${provider} supports JSON mode, but no JSON schema.`)];
  const found = `${provider} supports neither JSON schema nor JSON mode, so its answers are parsed as free text.`;
  return [warn(check, found, 'Use a server that supports JSON schema, if possible.')];
}
