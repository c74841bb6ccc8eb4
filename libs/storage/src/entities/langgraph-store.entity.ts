import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** An item of LangGraph's store, of one user. */
@Entity('langgraph_items')
@Unique('langgraph_items_place', ['tenant_id', 'user_id', 'path', 'key'])
@Index('langgraph_items_by_expiry', ['expires_at'], { where: '(expires_at IS NOT NULL)' })
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'langgraph_items_tenant_id_user_id_fkey',
})
export class LangGraphItemEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') item_id: string;
  @Column('text') user_id: string;
  /** The labels of the namespace, each with a period behind it. */
  @Column({ type: 'text', collation: 'C' }) path: string;
  @Column({ type: 'text', collation: 'C' }) key: string;
  @Column('text', { array: true }) namespace: string[];
  @Column('jsonb') value: Record<string, unknown>;
  /** Of the value as text. */
  @Column('integer') value_bytes: number;
  @Column('tsvector') words: string;
  @Column('double precision', { nullable: true }) ttl_minutes: number | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
}

/** A text of an item that is indexed, redacted: what its vector is made of. */
@Entity('langgraph_item_texts')
@ForeignKey(() => LangGraphItemEntity, ['tenant_id', 'item_id'], ['tenant_id', 'item_id'], {
  name: 'langgraph_item_texts_tenant_id_item_id_fkey',
  onDelete: 'CASCADE',
})
export class LangGraphItemTextEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') item_id: string;
  @PrimaryColumn('integer') ordinal: number;
  @Column('text') text: string;
}

/** The vector of one text of an item under one model. */
@Entity('langgraph_item_vectors')
@Index('langgraph_item_vectors_by_user', ['tenant_id', 'user_id'])
@ForeignKey(() => LangGraphItemEntity, ['tenant_id', 'item_id'], ['tenant_id', 'item_id'], {
  name: 'langgraph_item_vectors_tenant_id_item_id_fkey',
  onDelete: 'CASCADE',
})
export class LangGraphItemVectorEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') item_id: string;
  @PrimaryColumn('text') model: string;
  @PrimaryColumn('integer') ordinal: number;
  @Column('text') user_id: string;
  @Column('halfvec') vector: number[];
}
