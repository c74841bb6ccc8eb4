import { ENERGY_KINDS, type EnergyKind } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** What a tenant's background work may still draw, in thousandths of a unit (docs/reference/energy.md). */
@Entity('energy_meters')
@Check('energy_meters_level_milli_check', 'level_milli >= 0')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'energy_meters_tenant_id_fkey' })
export class EnergyMeterEntity {
  @TenantColumn() tenant_id: string;
  @Column('bigint') level_milli: string;
  @Column('bigint', { default: 0 }) consumed_milli: string;
  @Column('date', { nullable: true }) app_day: string | null;
  @Column('bigint', { default: 0 }) app_milli: string;
  @Column('timestamptz') updated_at: Date;
}

/** What was drawn on a UTC day, by kind. */
@Entity('energy_usage')
@Check('energy_usage_kind_check', `kind IN ('${ENERGY_KINDS.join("', '")}')`)
@Check('energy_usage_consumed_milli_check', 'consumed_milli >= 0')
@Index('energy_usage_by_day', ['day'])
export class EnergyUsageEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('date') day: string;
  @PrimaryColumn('text') kind: EnergyKind;
  @Column('bigint') consumed_milli: string;
  @Column('integer') calls: number;
}

/** The sum that an API key saw when it last asked. */
@Entity('energy_polls')
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'energy_polls_tenant_id_fkey' })
export class EnergyPollEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') key_id: string;
  @Column('bigint') consumed_milli: string;
  @Column('timestamptz') polled_at: Date;
}
