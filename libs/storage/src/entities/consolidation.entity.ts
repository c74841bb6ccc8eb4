import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MindRunEntity } from './mind.entity.js';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

/** One change of a run of consolidation, or one that it would make: ids, revisions and a reason. */
@Entity('mind_run_changes')
@Check('mind_run_changes_change_check', "change IN ('merge', 'link', 'rerank')")
@Check('mind_run_changes_state_check', "state IN ('planned', 'written', 'refused', 'skipped', 'undone', 'left')")
@ForeignKey(() => MindRunEntity, ['tenant_id', 'run_id'], ['tenant_id', 'id'], {
  name: 'mind_run_changes_tenant_id_run_id_fkey',
})
@Index('mind_run_changes_by_user', ['tenant_id', 'user_id', 'change'])
export class MindRunChangeEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') run_id: string;
  @PrimaryColumn('integer') ordinal: number;
  @Column('text') user_id: string;
  @Column('text') change: 'merge' | 'link' | 'rerank';
  @Column('text') state: 'planned' | 'written' | 'refused' | 'skipped' | 'undone' | 'left';
  @Column('text') reason: string;
  @Column('uuid', { array: true }) memory_ids: string[];
  @Column('integer', { array: true }) revisions_before: number[];
  @Column('uuid', { nullable: true }) result_id: string | null;
  @Column('integer', { array: true, nullable: true }) revisions_after: number[] | null;
  @Column('jsonb', { default: {} }) numbers: Readonly<Record<string, number>>;
  @Column('text', { nullable: true }) left_reason: string | null;
  @Column('timestamptz') changed_at: Date;
}

/** A pair of memories that is decided until a time. */
@Entity('consolidation_fingerprints')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'consolidation_fingerprints_tenant_id_user_id_fkey',
})
@Index('consolidation_fingerprints_by_expiry', ['expires_at'])
export class ConsolidationFingerprintEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') fingerprint: string;
  @Column('timestamptz') expires_at: Date;
}

/** Pairs of a user that models were asked about on `day`. */
@Entity('consolidation_pairs')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'consolidation_pairs_tenant_id_user_id_fkey',
})
export class ConsolidationPairsEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @Column('date') day: string;
  @Column('integer') pairs: number;
}

/** Tokens of a tenant's consolidation on `day`. */
@Entity('consolidation_tokens')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'consolidation_tokens_tenant_id_fkey' })
export class ConsolidationTokensEntity {
  @TenantColumn() tenant_id: string;
  @Column('date') day: string;
  @Column('bigint') tokens: string;
}
