import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** A user of a tenant, with the head of the audit chain and the totals of the lexical index. */
@Entity('users')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'users_tenant_id_fkey' })
@Index('users_by_analyzer', { synchronize: false })
@Index('users_by_subject', { synchronize: false })
@Index('users_by_id', { synchronize: false })
export class UserEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) erased_at: Date | null;
  /** When something of the user was last forgotten. */
  @Column('timestamptz', { nullable: true }) forgotten_at: Date | null;
  @Column('bigint', { default: 0 }) chain_seq: string;
  @Column('bytea', { nullable: true }) chain_head: Buffer | null;
  @Column('integer', { default: 0 }) memory_count: number;
  @Column('bigint', { default: 0 }) term_total: string;
  @Column('integer', { default: 0 }) next_unit: number;
  @Column('bigint', { default: 0 }) vector_seq: string;
  @Column('integer', { default: 0 }) turn_count: number;
  @Column('bigint', { default: 0 }) turn_length: string;
  @Column('smallint', { nullable: true }) analyzer: number | null;
  @Column('uuid', { nullable: true }) echoes_after: string | null;
  @Column('integer', { nullable: true }) reindex_below: number | null;
  @Column('uuid', { nullable: true }) reindex_after: string | null;
  @Column('text', { nullable: true }) pseudonym: string | null;
  /**
   * The user as subject of work, in queues and logs. Its default is a random id, which TypeORM cannot be told. Null: a row
   * of an earlier release that was not locked since.
   */
  @Column('uuid', { nullable: true }) subject_id: string | null;
}
