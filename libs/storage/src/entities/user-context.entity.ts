import type { SettingField, SingleField } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** A value of a person's context with the time it holds since (RFC 3339) and where it comes from. */
export interface FieldValueJson {
  readonly value: string | null;
  readonly since: string;
  readonly by: string;
}

export type ContextFieldsJson = Partial<Record<SingleField | SettingField, FieldValueJson>> & {
  readonly goals?: readonly FieldValueJson[];
};

/** The values that a person has allowed to be known about them. */
@Entity('user_contexts')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'user_contexts_tenant_id_user_id_fkey',
})
export class UserContextEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @Column('uuid') id: string;
  @Column('integer') revision: number;
  @Column('jsonb') fields: ContextFieldsJson;
  @Column('timestamptz') updated_at: Date;
}

/** A value detected for a person's context that waits for their consent, or the decision about it. */
@Entity('context_proposals')
@Check(
  'context_proposals_field_check',
  "field IN ('preferred_name', 'pronouns', 'city', 'language', 'tone', 'goals_add')",
)
@Check('context_proposals_state_check', "state IN ('pending', 'accepted', 'rejected', 'withdrawn', 'expired')")
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'context_proposals_tenant_id_user_id_fkey',
})
@Index('context_proposals_by_user', { synchronize: false })
@Index('context_proposals_one_pending', { synchronize: false })
@Index('context_proposals_by_expiry', { synchronize: false })
export class ContextProposalEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') user_id: string;
  @Column('text') field: 'preferred_name' | 'pronouns' | 'city' | 'language' | 'tone' | 'goals_add';
  @Column('text', { nullable: true }) value: string | null;
  @Column('text') value_key: string;
  @Column('text') state: 'pending' | 'accepted' | 'rejected' | 'withdrawn' | 'expired';
  @Column('uuid', { array: true }) message_ids: string[];
  @Column('timestamptz') said_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
  @Column('timestamptz', { nullable: true }) decided_at: Date | null;
  @Column('text', { nullable: true }) decided_by: string | null;
}
