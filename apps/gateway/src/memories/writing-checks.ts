import type { WritingChecks as WritingChecksSetting, WritingRule, WritingViolation } from '@annals/contracts';
import { checkManualWriting, type ManualWriting } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import { CONFIG, METRICS } from '@annals/runtime';
import { loadWritingChecks, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import { invalidFields } from '../http/parse-input.js';
import type { WrittenMemory } from './memory-changes.js';

/** What to do about each violation. */
const ADVICE: Readonly<Record<WritingRule, string>> = {
  empty: 'Write what to do in this step: nothing is left of it without its number and its opening words.',
  too_long: 'Use at most 280 characters: split the text into several memories.',
  too_many_sentences: 'Use at most two sentences: split the text into several memories.',
  not_third_person: 'Write in the third person: name who is meant instead of “I”, “we” or “you”.',
  pronoun_for_user: 'Repeat the name, or “the user”, instead of “he”, “she” or “they”.',
  not_self_contained:
    'Write what can be understood alone: name what “it” or “this” is, and give the date instead of “tomorrow”.',
  not_past_tense: 'Use the past tense: an episodic memory tells what happened.',
};

/**
 * Checks the form of memories that are written by hand, as the setting of the tenant says
 * (docs/reference/writing-constraints.md#memories-written-by-hand).
 */
@Injectable()
export class WritingChecks {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'writing'>,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** The violations to warn about, as the caller sent the text. Throws `writing_refused` when the tenant refuses them. */
  async check(tx: Tx, writing: ManualWriting): Promise<WritingViolation[]> {
    const violations = checkManualWriting(writing).map(({ rule, field }): WritingViolation => ({
      code: rule,
      path: `body.${field}`,
      message: ADVICE[rule],
    }));
    if (violations.length === 0) return [];
    const setting = await this.loadSetting(tx);
    if (setting === 'off') return [];
    if (setting === 'warn') return violations;
    this.count(violations, 'refused');
    throw invalidFields(violations, 'writing_refused');
  }

  hasViolations(writing: ManualWriting): boolean {
    return checkManualWriting(writing).length > 0;
  }

  /** Whether `check` would refuse one of the texts, which then needs no vector. */
  async refuses(tx: Tx, ...writings: readonly ManualWriting[]): Promise<boolean> {
    return writings.some((writing) => this.hasViolations(writing)) && (await this.loadSetting(tx)) === 'refuse';
  }

  /** What to do about a text that is refused; null when nothing speaks against it. */
  adviseAgainst(writing: ManualWriting): string | null {
    const rules = checkManualWriting(writing).map(({ rule }) => rule);
    return rules.length === 0 ? null : [...new Set(rules)].map((rule) => ADVICE[rule]).join(' ');
  }

  /** The result with its warnings, which are counted when it is committed. */
  warn(result: WrittenMemory, warnings: WritingViolation[]) {
    if (warnings.length === 0) return result;
    const { answer } = result;
    return {
      ...result,
      answer: { ...answer, body: { ...answer.body, warnings } },
      afterCommit: () => this.count(warnings, 'stored'),
    };
  }

  private async loadSetting(tx: Tx): Promise<WritingChecksSetting> {
    return (await loadWritingChecks(tx)) ?? this.config.writing.checks;
  }

  private count(violations: readonly WritingViolation[], outcome: 'stored' | 'refused'): void {
    for (const { code: rule } of violations) {
      this.metrics.inc('memory_llm_manual_writing_violations_total', { rule, outcome });
    }
  }
}
