import type { StructuredOutputMode } from '@annals/llm-core';
import { type Finding, fail, ok, warn } from '../report/finding.js';
import { formatUsd } from '../report/format-usd.js';
import type { CorpusOutcome } from './run-corpus.js';
import { addScores } from './score-answer.js';

/** Shares below which a model is good enough only with a warning, and not at all. */
const GOOD_FACTS = 0.8;
const USABLE_FACTS = 0.5;
const GOOD_GROUNDING = 0.95;
const USABLE_GROUNDING = 0.7;

/** What the answers to the corpus tell about a model. */
export function evaluateCorpus(provider: string, outcome: CorpusOutcome): Finding[] {
  const { scores, failures, spentMicroUsd } = outcome;
  const failed = failures.map((reason) =>
    fail(`${provider}.corpus`, reason, 'Mend this first; the rest builds on it.'),
  );
  if (scores.length === 0) return failed;
  return [
    ...failed,
    evaluateParsing(provider, outcome),
    evaluateFacts(provider, outcome),
    evaluateGrounding(provider, outcome),
  ].map((finding, index, all) =>
    index === all.length - 1 ? { ...finding, found: `${finding.found} Spent ${formatUsd(spentMicroUsd)}.` } : finding,
  );
}

const OTHER_MODEL = 'Use a larger model for extraction.';

function evaluateParsing(provider: string, { scores }: CorpusOutcome): Finding {
  const { unreadable, repairs } = addScores(scores);
  const check = `${provider}.answers`;
  if (unreadable > 0) {
    const found = `${unreadable} of ${scores.length} answers of ${provider} could not be read.`;
    return fail(check, found, `${OTHER_MODEL} A server of your own may need its JSON mode switched on.`);
  }
  if (repairs > 0) {
    const found = `${provider} answered ${scores.length} conversations, but ${repairs} places had to be repaired.`;
    return warn(check, found, OTHER_MODEL);
  }
  return ok(check, `${provider} answered ${scores.length} sample conversations in the agreed form.`);
}

function evaluateFacts(provider: string, { scores }: CorpusOutcome): Finding {
  const { facts, foundFacts, mistakes } = addScores(scores);
  const check = `${provider}.facts`;
  const found = `${provider} found ${foundFacts} of ${facts} expected facts.`;
  if (mistakes > 0) {
    return warn(check, `${found} It also kept ${mistakes} that no user said.`, OTHER_MODEL);
  }
  if (foundFacts >= facts * GOOD_FACTS) return ok(check, found);
  return foundFacts >= facts * USABLE_FACTS ? warn(check, found, OTHER_MODEL) : fail(check, found, OTHER_MODEL);
}

function evaluateGrounding(provider: string, { scores }: CorpusOutcome): Finding {
  const { memories, grounded } = addScores(scores);
  const check = `${provider}.grounding`;
  const found = `${grounded} of its ${memories} memories quote what was really said.`;
  if (memories > 0 && grounded >= memories * GOOD_GROUNDING) return ok(check, found);
  const advice = `${OTHER_MODEL} Memories without a true quote are quarantined.`;
  return memories > 0 && grounded >= memories * USABLE_GROUNDING
    ? warn(check, found, advice)
    : fail(check, found, advice);
}

/** By which means the endpoint was held to the answer's shape. */
export function evaluateStructuredOutput(provider: string, mode: StructuredOutputMode | 'unknown'): Finding[] {
  const check = `${provider}.structure`;
  switch (mode) {
    case 'schema':
      return [ok(check, `${provider} holds its answers to our schema.`)];
    case 'json_object':
      return [ok(check, `${provider} knows no schema, but keeps to JSON.`)];
    case 'text':
      return [
        warn(
          check,
          `${provider} cannot be held to any form, so answers are read as free text.`,
          'Use a server with JSON schema support if there is a choice.',
        ),
      ];
    case 'unknown':
      return [];
  }
}
