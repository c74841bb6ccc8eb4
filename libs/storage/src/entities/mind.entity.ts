import {
  MIND_KINDS,
  MIND_RUN_STATES,
  MIND_TRIGGERS,
  type MindKind,
  type MindRunState,
  type MindTrigger,
} from '@annals/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

const oneOf = (column: string, values: readonly string[]) => `${column} IN ('${values.join("', '")}')`;

/** One run of a mind about one subject (docs/reference/minds.md#runs). */
@Entity('mind_runs')
@Check('mind_runs_kind_check', oneOf('kind', MIND_KINDS))
@Check('mind_runs_trigger_check', oneOf('trigger', MIND_TRIGGERS))
@Check('mind_runs_state_check', oneOf('state', MIND_RUN_STATES))
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'mind_runs_tenant_id_fkey' })
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'mind_runs_tenant_id_user_id_fkey',
})
@Index('mind_runs_by_end', { synchronize: false })
@Index('mind_runs_by_kind', ['tenant_id', 'kind', 'id'])
@Index('mind_runs_by_user', ['tenant_id', 'user_id', 'id'])
@Index('mind_runs_by_subject', ['tenant_id', 'subject_id', 'kind', 'id'])
export class MindRunEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') kind: MindKind;
  @Column('uuid') subject_id: string;
  @Column('text', { nullable: true }) user_id: string | null;
  @Column('text') trigger: MindTrigger;
  @Column('boolean') is_dry_run: boolean;
  @Column('text', { default: 'running' }) state: MindRunState;
  @Column('text', { nullable: true }) watermark: string | null;
  @Column('jsonb', { default: {} }) counts: Readonly<Record<string, number>>;
  @Column('integer', { default: 0 }) calls: number;
  @Column('bigint', { default: 0 }) energy_milli: string;
  @Column('bigint', { default: 0 }) input_tokens: string;
  @Column('bigint', { default: 0 }) output_tokens: string;
  @Column('bigint', { default: 0 }) cost_micro_usd: string;
  @Column('text', { nullable: true }) failure_code: string | null;
  @Column('timestamptz') started_at: Date;
  @Column('timestamptz', { nullable: true }) ended_at: Date | null;
}

/** What the last runs of a mind about a subject saw, and how many failed at it. */
@Entity('mind_watermarks')
@Check('mind_watermarks_kind_check', oneOf('kind', MIND_KINDS))
export class MindWatermarkEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') subject_id: string;
  @PrimaryColumn('text') kind: MindKind;
  @Column('text', { nullable: true }) watermark: string | null;
  @Column('integer', { default: 0 }) failures: number;
  /** Since when somebody does not want what the last run made; a run that comes later makes it anew. */
  @Column('timestamptz', { nullable: true }) dismissed_at: Date | null;
  @Column('timestamptz') updated_at: Date;
}
