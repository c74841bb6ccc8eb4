import type { PatchTenant, Tenant, WritingChecks } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { TenantEntity } from '../entities/tenant.entity.js';
import { type TenantRow, toTenant } from './tenants.js';

/** What a tenant has of its own for redaction. */
export type TenantSettings = Pick<
  TenantEntity,
  'default_country' | 'personal_ids' | 'pseudonym_salt' | 'pseudonym_check'
>;

/** The settings of the transaction's tenant, or null when it was deleted. */
export async function loadTenantSettings(tx: Tx): Promise<TenantSettings | null> {
  const [row] = await tx.query<TenantSettings>(
    'SELECT default_country, personal_ids, pseudonym_salt, pseudonym_check FROM tenants',
  );
  return row ?? null;
}

/** The name of the transaction's tenant, or null when it was deleted. */
export async function loadTenantName(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<Pick<TenantEntity, 'name'>>('SELECT name FROM tenants');
  return row?.name ?? null;
}

/** What happens to manual memories of the transaction's tenant; null: as configured, or the tenant was deleted. */
export async function loadWritingChecks(tx: Tx): Promise<WritingChecks | null> {
  const [row] = await tx.query<Pick<TenantEntity, 'writing_checks'>>('SELECT writing_checks FROM tenants');
  return row?.writing_checks ?? null;
}

/** The salt of the tenant's pseudonyms, which is made at its first use. Null when the tenant was deleted. */
export async function ensurePseudonymSalt(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ pseudonym_salt: string }>(
    'UPDATE tenants SET pseudonym_salt = coalesce(pseudonym_salt, gen_random_uuid()) RETURNING pseudonym_salt',
  );
  return row?.pseudonym_salt ?? null;
}

/**
 * Stores the fingerprint of the key of the tenant's pseudonyms at its first use. Returns the one that is stored, or null
 * when the salt is another one by now.
 */
export async function confirmPseudonymKey(tx: Tx, { salt, check }: { salt: string; check: string }) {
  const [row] = await tx.query<{ pseudonym_check: string }>(
    `UPDATE tenants SET pseudonym_check = coalesce(pseudonym_check, $2::text) WHERE pseudonym_salt = $1
     RETURNING pseudonym_check`,
    [salt, check],
  );
  return row?.pseudonym_check ?? null;
}

/** Changes the settings that are given. Null when the transaction's tenant does not exist. */
export async function patchTenantSettings(tx: Tx, patch: PatchTenant): Promise<Tenant | null> {
  const [row] = await tx.query<TenantRow>(
    `UPDATE tenants
        SET default_country = CASE WHEN $1::boolean THEN $2::text ELSE default_country END,
            personal_ids = CASE WHEN $3::boolean THEN $4::text ELSE personal_ids END,
            writing_checks = CASE WHEN $5::boolean THEN $6::text ELSE writing_checks END,
            pseudonym_salt = CASE WHEN $7::boolean THEN NULL ELSE pseudonym_salt END,
            pseudonym_check = CASE WHEN $7::boolean THEN NULL ELSE pseudonym_check END
      RETURNING tenant_id, name, created_at, default_country, personal_ids, writing_checks`,
    [
      patch.default_country !== undefined,
      patch.default_country ?? null,
      patch.personal_ids !== undefined,
      patch.personal_ids ?? null,
      patch.writing_checks !== undefined,
      patch.writing_checks ?? null,
      patch.renew_pseudonyms === true,
    ],
  );
  return row ? toTenant(row) : null;
}
