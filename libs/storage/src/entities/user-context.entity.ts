import type { SingleField } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** A value of a person's context with the time it holds since (RFC 3339) and where it comes from. */
export interface FieldValueJson {
  readonly value: string | null;
  readonly since: string;
  readonly by: string;
}

export type ContextFieldsJson = Partial<Record<SingleField, FieldValueJson>> & {
  readonly goals?: readonly FieldValueJson[];
};

/** The values that a person has allowed to be known about them. */
@Entity('user_contexts')
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'user_contexts_tenant_id_user_id_fkey',
})
export class UserContextEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @Column({ type: 'uuid' })
  id: string;

  @Column({ type: 'integer' })
  revision: number;

  @Column({ type: 'jsonb' })
  fields: ContextFieldsJson;

  @Column({ type: 'timestamptz' })
  updated_at: Date;
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
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'text' })
  field: 'preferred_name' | 'pronouns' | 'city' | 'language' | 'tone' | 'goals_add';

  @Column({ type: 'text', nullable: true })
  value: string | null;

  @Column({ type: 'text' })
  value_key: string;

  @Column({ type: 'text' })
  state: 'pending' | 'accepted' | 'rejected' | 'withdrawn' | 'expired';

  @Column({ type: 'uuid', array: true })
  message_ids: string[];

  @Column({ type: 'timestamptz' })
  said_at: Date;

  @Column({ type: 'timestamptz' })
  created_at: Date;

  @Column({ type: 'timestamptz' })
  expires_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  decided_at: Date | null;

  @Column({ type: 'text', nullable: true })
  decided_by: string | null;
}
