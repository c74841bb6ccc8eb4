import type { WritingChecks as WritingChecksSetting, WritingViolation } from '@annals/contracts';
import { adviseWriting, checkManualWriting, type ManualWriting } from '@annals/domain';
import type { Metrics } from '@annals/observability';
import { CONFIG, METRICS } from '@annals/runtime';
import { loadWritingChecks, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import { invalidFields } from '../http/parse-input.js';
import type { WrittenMemory } from './memory-changes.js';

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
    const violations = adviseWriting(writing).map(({ rule, field, message }): WritingViolation => ({
      code: rule,
      path: `body.${field}`,
      message,
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
