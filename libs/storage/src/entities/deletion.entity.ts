import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/** TypeORM's types allow it for primary keys only. */
const IDENTITY: object = { generatedIdentity: 'ALWAYS' };

/** Something that somebody asked to have deleted. Of no tenant: it outlives the tenant's rows. */
@Entity('deletions')
@Index('deletions_by_subject', ['of_tenant', 'subject'])
@Index('deletions_without_seq', { synchronize: false })
export class DeletionEntity {
  @PrimaryColumn('uuid') id: string;
  @Generated('identity' as 'increment')
  @Column('bigint', IDENTITY)
  ordinal: string;
  @Column('bigint', { nullable: true, unique: true }) seq: string | null;
  @Column('uuid') of_tenant: string;
  @Column('text') kind: string;
  @Column('text') subject: string;
  @Column('timestamptz') deleted_at: Date;
}
