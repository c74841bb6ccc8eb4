import type { FormerEnd } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { MessageEntity } from './message.entity.js';
import { TenantColumn } from './tenant-column.js';
import { UserEntity } from './user.entity.js';

/** One statement, valid from `valid_from` until `valid_to`, known from `recorded_at` until `closed_at`. */
@Entity('memories')
@Check('memories_confidence_check', 'confidence BETWEEN 0 AND 1')
@Check('memories_deleted_by_check', "deleted_by IN ('user', 'ttl', 'undo', 'eviction', 'ground')")
@Check('memories_importance_check', 'importance BETWEEN 1 AND 5')
@Check('memories_origin_check', "origin IN ('extraction', 'manual')")
@Check('memories_state_check', "state IN ('active', 'quarantined', 'soft_deleted')")
@Check('memories_type_check', "type IN ('semantic', 'episodic', 'procedural', 'insight')")
@ForeignKey(() => UserEntity, ['tenant_id', 'user_id'], ['tenant_id', 'user_id'], {
  name: 'memories_tenant_id_user_id_fkey',
})
@Index('memories_by_category', { synchronize: false })
@Index('memories_by_hash', ['tenant_id', 'user_id', 'normalized_hash'])
@Index('memories_by_slot', { synchronize: false })
@Index('memories_by_successor', { synchronize: false })
@Index('memories_by_tenant_update', { synchronize: false })
@Index('memories_by_update', { synchronize: false })
@Index('memories_one_current', { synchronize: false })
@Index('memories_one_quarantined', { synchronize: false })
@Index('memories_over', { synchronize: false })
@Index('memories_to_forget', { synchronize: false })
@Index('memories_to_purge', { synchronize: false })
export class MemoryEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') user_id: string;
  @Column('text') category: string;
  @Column('text') type: 'semantic' | 'episodic' | 'procedural' | 'insight';
  @Column('text') content: string;
  @Column('text') normalized_hash: string;
  @Column('text') hash_version: string;
  @Column('text') state: 'active' | 'quarantined' | 'soft_deleted';
  @Column('text') origin: 'extraction' | 'manual';
  @Column('smallint') importance: number;
  @Column('double precision') confidence: number;
  @Column('boolean', { default: false }) pinned: boolean;
  @Column('jsonb', { nullable: true }) emotional_context: Record<string, unknown> | null;
  @Column('jsonb', { nullable: true }) significance: Record<string, number> | null;
  @Column('jsonb', { nullable: true }) relationship_dynamics: Record<string, unknown> | null;
  @Column('text', { nullable: true }) rationale: string | null;
  @Column('jsonb', { nullable: true }) clustering_metadata: unknown;
  @Column('integer', { default: 0 }) cluster_participation_count: number;
  @Column('text', { nullable: true }) provider: string | null;
  @Column('text', { nullable: true }) model: string | null;
  @Column('bigint', { default: 0 }) cost_micro_usd: string;
  @Column('text', { nullable: true }) quarantine_reason: string | null;
  @Column('integer', { default: 1 }) revision: number;
  @Column('integer', { default: 0 }) term_count: number;
  @Column('timestamptz') valid_from: Date;
  @Column('timestamptz', { nullable: true }) valid_to: Date | null;
  @Column('uuid', { nullable: true }) superseded_by: string | null;
  @Column('timestamptz') recorded_at: Date;
  @Column('timestamptz', { nullable: true }) closed_at: Date | null;
  @Column('jsonb', { nullable: true }) former_ends: FormerEnd[] | null;
  @Column('text', { nullable: true }) slot: string | null;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) deleted_at: Date | null;
  @Column('text', { nullable: true }) deleted_by: 'user' | 'ttl' | 'undo' | 'eviction' | 'ground' | null;
  @Column('timestamptz', { nullable: true }) purge_at: Date | null;
  /** When one-time data is forgotten by itself. */
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('timestamptz', { nullable: true }) reranked_at: Date | null;
  @Column('uuid', { array: true, nullable: true }) kept_apart: string[] | null;
}

/** The vector of a memory under one model: in `narrow` when it fits the index of a user's vectors, else in `wide`. */
@Entity('memory_embeddings')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_embeddings_tenant_id_memory_id_fkey',
})
@Check('memory_embeddings_one_vector_check', 'num_nonnulls(narrow, wide) = 1')
@Index('memory_embeddings_by_content', ['tenant_id', 'model', 'content_hash'])
@Index('memory_embeddings_by_user', { synchronize: false })
export class MemoryEmbeddingEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @PrimaryColumn('text') model: string;
  @Column('text') user_id: string;
  @Column('bytea') content_hash: Buffer;
  @Column('halfvec', { nullable: true }) narrow: number[] | null;
  @Column('halfvec', { nullable: true }) wide: number[] | null;
}

/** When a memory was last part of an answer, and in how many answers it was. */
@Entity('memory_access')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_access_tenant_id_memory_id_fkey',
})
export class MemoryAccessEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @Column('timestamptz') last_accessed_at: Date;
  @Column('integer') access_count: number;
  /** Answers of each of the last 30 UTC days that had one, by the number of the day. */
  @Column('jsonb', { default: {} }) days: Readonly<Record<string, number>>;
}

/** A link from one memory to another. */
@Entity('relations')
@Check('relations_strength_check', 'strength BETWEEN 0 AND 1')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'from_id'], ['tenant_id', 'id'], {
  name: 'relations_tenant_id_from_id_fkey',
})
@ForeignKey(() => MemoryEntity, ['tenant_id', 'to_id'], ['tenant_id', 'id'], { name: 'relations_tenant_id_to_id_fkey' })
@Unique('relations_tenant_id_from_id_to_id_key', ['tenant_id', 'from_id', 'to_id'])
@Index('relations_by_target', ['tenant_id', 'to_id'])
export class RelationEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') user_id: string;
  @Column('uuid') from_id: string;
  @Column('uuid') to_id: string;
  @Column('text', { default: 'related_to' }) relation_type: string;
  @Column('real') strength: number;
  @Column('timestamptz') created_at: Date;
}

/** The message that a memory is based on, with the quoted text. A snapshot: it outlives the batch. */
@Entity('memory_sources')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_sources_tenant_id_memory_id_fkey',
})
@ForeignKey(() => MessageEntity, ['tenant_id', 'message_id'], ['tenant_id', 'id'], {
  name: 'memory_sources_tenant_id_message_id_fkey',
})
@Index('memory_sources_by_message', ['tenant_id', 'message_id'])
@Index('memory_sources_by_thread', ['tenant_id', 'user_id', 'thread_id', 'memory_id'])
export class MemorySourceEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @PrimaryColumn('uuid') message_id: string;
  @Column('uuid') conversation_id: string;
  @Column('text') user_id: string;
  @Column('text') thread_id: string;
  @Column('text', { nullable: true }) agent_id: string | null;
  @Column('text', { nullable: true }) run_id: string | null;
  @Column('text', { nullable: true }) actor_id: string | null;
  @Column('text', { nullable: true }) app_id: string | null;
  @Column('text') role: string;
  @Column('text') quote: string;
  @Column('timestamptz') said_at: Date;
  @Column('uuid', { nullable: true }) batch_id: string | null;
}
