import { ConfigError, type Environment, EXIT_CODE_CONFIG, loadConfig } from '@annals/config';
import { type Clock, SystemRng, UuidV7Generator } from '@annals/domain';
import { closeVault, type Database, findTenant, listTenantIds } from '@annals/storage';
import { GitError, VaultUnavailableError } from '@annals/vault';
import { resolve } from 'node:path';
import type { VaultArguments } from '../cli/parse-arguments.js';
import {
  describeConfigError,
  EXIT_CODE_UNAVAILABLE,
  fail,
  type Finding,
  FindingLog,
  ok,
  skip,
  warn,
} from '../report.js';
import { AuditUnavailableError, isNotMigrated, type OpenAudit, openAudit } from '../verify/open-audit.js';
import { VaultCheck, type VaultCounts } from './vault-check.js';

type CheckArguments = Extract<VaultArguments, { action: 'check' }>;

interface VaultOptions {
  readonly env: Environment;
  readonly clock: Clock;
  /** Called with each finding as soon as it is known. */
  emit(finding: Finding): void;
}

export interface VaultCheckOptions extends VaultOptions {
  readonly request: Omit<CheckArguments, 'command' | 'action' | 'isJson'>;
}

interface VaultEnd {
  readonly findings: readonly Finding[];
  /** 0, 1 when a fault was found, 69 when the command could not run, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

export interface CheckedVault extends VaultEnd {
  /** Null when nothing could be compared. */
  readonly counts: VaultCounts | null;
  readonly faults: number;
}

/** Compares the vault of the configured installation with its database (docs/operating.md#vault). */
export async function runVaultCheck(options: VaultCheckOptions): Promise<CheckedVault> {
  let check: VaultCheck | undefined;
  try {
    const { vault } = loadConfig(['vault'], options.env);
    if (vault.path === undefined) throw new AuditUnavailableError('There is no vault: ANNALS_VAULT_PATH is not set.');
    const audit = await openAudit(options.env);
    try {
      check = await openCheck(audit, resolve(vault.path), options);
      await check.checkAll();
      if (options.request.user !== null && !check.hasUsers)
        throw new AuditUnavailableError(`There is no user ${JSON.stringify(options.request.user)}.`);
    } finally {
      await audit.close();
    }
    const { counts, findings, faults } = check;
    return { counts, findings, faults, exitCode: faults > 0 ? 1 : 0 };
  } catch (error) {
    const end = explain(error, options);
    return {
      ...end,
      findings: [...(check?.findings ?? []), ...end.findings],
      counts: null,
      faults: check?.faults ?? 0,
    };
  }
}

/** Ends the vault: nothing is written any more. Its folder stays. */
export async function runVaultOff(options: VaultOptions): Promise<VaultEnd> {
  try {
    const audit = await openAudit(options.env);
    const log = new FindingLog((finding) => options.emit(finding));
    try {
      const wasOn = await closeVault(audit.database, { abandons: true });
      log.emit(...describeOff(wasOn));
    } finally {
      await audit.close();
    }
    return { findings: log.findings, exitCode: 0 };
  } catch (error) {
    return explain(error, options);
  }
}

async function openCheck({ database }: OpenAudit, root: string, options: VaultCheckOptions): Promise<VaultCheck> {
  const { env, request, clock } = options;
  const { hasGit, searchPath } = loadConfig(['vault'], env).vault;
  const { tenant, user: userId, repairs } = request;
  const tenantId = tenant === null ? null : await findTenantId(database, tenant);
  const ids = new UuidV7Generator(clock, new SystemRng());
  const git = hasGit ? { clock, searchPath } : null;
  const scope = { database, root, git, tenantId, userId, repairs, clock, ids };
  return new VaultCheck(scope, (finding) => options.emit(finding));
}

/** By its name or its id. */
async function findTenantId(database: Database, tenant: string): Promise<string> {
  const byName = await findTenant(database, tenant);
  if (byName !== null) return byName;
  for await (const id of listTenantIds(database, null)) if (id === tenant) return id;
  throw new AuditUnavailableError(`There is no tenant ${JSON.stringify(tenant)}.`);
}

function describeOff(wasOn: boolean): Finding[] {
  const folder = warn(
    'vault.folder',
    'The folder of the vault stays, and contains what people said.',
    'Delete it when nobody needs it. Remove ANNALS_VAULT_PATH from every process, which would switch the vault on again.',
  );
  if (!wasOn) return [skip('vault.off', 'The vault was off already.'), folder];
  const found =
    'The vault is off: changes ask for no files any more, and what waited to be written is dropped. Annals does not know its folder any more: whoever is erased from now on stays in it.';
  return [ok('vault.off', found), folder];
}

/** Rethrows an unexpected error. */
function explain(error: unknown, options: VaultOptions): VaultEnd {
  const log = new FindingLog((finding) => options.emit(finding));
  log.emit(...describeFailure(error));
  return { findings: log.findings, exitCode: error instanceof ConfigError ? EXIT_CODE_CONFIG : EXIT_CODE_UNAVAILABLE };
}

function describeFailure(error: unknown): Finding[] {
  if (error instanceof ConfigError) return describeConfigError(error);
  if (error instanceof AuditUnavailableError || error instanceof VaultUnavailableError || error instanceof GitError) {
    return [{ check: 'vault', verdict: 'fail', found: error.message }];
  }
  if (isNotMigrated(error)) {
    return [fail('vault', 'The schema is older than this version.', 'Run the migration, then this command.')];
  }
  throw error;
}

/** The last line: `3 users and 40 files in 1 tenant: no faults found.` */
export function renderVaultSummary({ counts, faults }: CheckedVault): string {
  if (counts === null) return 'The vault was not compared as a whole.';
  const { users, files, tenants } = counts;
  const compared = `${pluralise(users, 'user')} and ${pluralise(files, 'file')} in ${pluralise(tenants, 'tenant')}`;
  return `${compared}: ${faults === 0 ? 'no faults' : pluralise(faults, 'fault')} found.`;
}

export function renderVaultJson({ counts, findings, faults, exitCode }: CheckedVault): string {
  return JSON.stringify({ sound: exitCode === 0, counts, faults, findings });
}

function pluralise(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}
