import { type Environment, ConfigError, EXIT_CODE_CONFIG } from '@annals/config';
import { erasureReceiptSchema } from '@annals/contracts';
import { type Clock, parseJson } from '@annals/domain';
import {
  type AuditCounts,
  type AuditFinding,
  type AuditFindingHandler,
  type ChainHead,
  compareHeads,
  findTenant,
  verifyReceipt,
  readHeads,
  verifyAudit,
} from '@annals/storage';
import { readFile } from 'node:fs/promises';
import type { VerifyArguments } from '../cli/parse-arguments.js';
import { describeConfigError, EXIT_CODE_UNAVAILABLE, fail, type Finding, FindingLog, ok } from '../report.js';
import { describeAuditFinding } from './describe-audit-finding.js';
import { HeadsFileError, readHeadsFile, writeHeadsFile } from './heads-file.js';
import { AuditUnavailableError, isNotMigrated, type OpenAudit, openAudit } from './open-audit.js';

/** Further findings are only counted: they add nothing new, and would fill the memory. */
const MAX_REPORTED_FINDINGS = 1_000;
const HEADS_BATCH_SIZE = 500;

export interface VerifyOptions {
  readonly env: Environment;
  readonly request: Omit<VerifyArguments, 'command' | 'isJson'>;
  readonly clock: Clock;
  /** Called with each finding as soon as it is known. */
  emit(finding: Finding): void;
}

export interface Verification {
  readonly counts: AuditCounts | null;
  readonly findings: readonly Finding[];
  /** Number of inconsistencies, including those beyond the findings that are reported one by one. */
  readonly faults: number;
  /** 0, 1 when an inconsistency was found, 69 when verify could not run, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

/** Verifies the audit of the configured installation (docs/reference/audit.md#what-verification-can-find). */
export async function runVerify(options: VerifyOptions): Promise<Verification> {
  const run = new AuditRun(options);
  try {
    const audit = await openAudit(options.env);
    try {
      await run.checkAll(audit);
    } finally {
      await audit.close();
    }
    return run.conclude();
  } catch (error) {
    run.emit(...explainFailure(error));
    return { ...run.conclude(), exitCode: error instanceof ConfigError ? EXIT_CODE_CONFIG : EXIT_CODE_UNAVAILABLE };
  }
}

/** Rethrows an unexpected error. */
function explainFailure(error: unknown): Finding[] {
  if (error instanceof ConfigError) return describeConfigError(error);
  if (error instanceof AuditUnavailableError || error instanceof HeadsFileError) {
    return [{ check: 'audit', verdict: 'fail', found: error.message }];
  }
  if (isNotMigrated(error)) {
    return [fail('audit', 'The schema is older than this version.', 'Run the migration, then verify.')];
  }
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (code === 'ENOENT') return [fail('audit', `There is no file ${String(path)}.`, 'Check its path.')];
  if (code === 'EEXIST')
    return [fail('audit', `The file ${String(path)} exists already.`, 'Give the path of a new file.')];
  throw error;
}

class AuditRun extends FindingLog {
  private faults = 0;
  private counts: AuditCounts | null = null;

  constructor(private readonly options: VerifyOptions) {
    super((finding) => options.emit(finding));
  }

  conclude(): Verification {
    const { counts, findings, faults } = this;
    return { counts, findings, faults, exitCode: faults > 0 ? 1 : 0 };
  }

  async checkAll(audit: OpenAudit): Promise<void> {
    const { request } = this.options;
    if (request.receipt !== null) return this.checkReceipt(audit, request.receipt);
    const { database, keys } = audit;
    const tenantId = await this.findTenantId(audit);
    this.counts = await verifyAudit(database, { tenantId, keys, report: this.report });
    if (request.against !== null) await this.checkHeads(audit, request.against, tenantId);
    if (this.faults > MAX_REPORTED_FINDINGS) {
      const found = `${this.faults - MAX_REPORTED_FINDINGS} more inconsistencies were found.`;
      this.emit(fail('audit', found, 'Restore a backup, and verify it with --against a file of exported heads.'));
    }
    if (request.exportHeads !== null) await this.exportHeads(audit, request.exportHeads, tenantId);
  }

  private readonly report: AuditFindingHandler = (finding: AuditFinding) => {
    this.faults += 1;
    if (this.faults <= MAX_REPORTED_FINDINGS) this.emit(describeAuditFinding(finding));
  };

  private async findTenantId({ database }: OpenAudit): Promise<string | null> {
    const { tenant } = this.options.request;
    if (tenant === null) return null;
    const id = await findTenant(database, tenant);
    if (id === null) throw new AuditUnavailableError(`There is no tenant ${JSON.stringify(tenant)}.`);
    return id;
  }

  private async checkReceipt({ database, keys }: OpenAudit, file: string): Promise<void> {
    const parsed = erasureReceiptSchema.safeParse(parseJson(await readFile(file, 'utf8')));
    if (!parsed.success)
      throw new AuditUnavailableError(`${file} is not a receipt: use the response of DELETE /v1/users/….`);
    const receipt = parsed.data;
    const { tenant_id: tenantId, user_id: userId, chain } = receipt;
    const faults = await verifyReceipt(database, keys, receipt);
    for (const fault of faults) this.report({ fault, tenantId, userId, seq: chain.seq });
    if (faults.length > 0) return;
    const found = `User ${JSON.stringify(userId)} of tenant ${tenantId} was erased at ${receipt.erased_at}: the receipt is valid, and row ${chain.seq} of the history records the erasure.`;
    this.emit(ok('audit.receipt', found));
  }

  private async checkHeads({ database, keys }: OpenAudit, file: string, only: string | null): Promise<void> {
    let pendingHeads: ChainHead[] = [];
    let count = 0;
    const compare = async () => {
      if (pendingHeads.length > 0) await compareHeads(database, pendingHeads[0]!.tenantId, pendingHeads, this.report);
      pendingHeads = [];
    };
    for await (const head of readHeadsFile(file, keys)) {
      if (only !== null && head.tenantId !== only) continue;
      if (pendingHeads.length === HEADS_BATCH_SIZE || pendingHeads[0]?.tenantId !== head.tenantId) await compare();
      pendingHeads.push(head);
      count += 1;
    }
    await compare();
    this.emit(ok('audit.heads', `The heads of ${count} histories were compared with ${file}.`));
  }

  private async exportHeads({ database, keys: [key] }: OpenAudit, file: string, only: string | null): Promise<void> {
    if (this.faults > 0) {
      const advice = 'Resolve the inconsistencies first, then export the heads.';
      return this.emit(fail('audit.heads', `No heads were exported to ${file}.`, advice));
    }
    const count = await writeHeadsFile(file, readHeads(database, only), { key, now: this.options.clock.now() });
    const found = `The heads of ${count} histories were exported to ${file}: store it outside of this installation.`;
    this.emit(ok('audit.heads', found));
  }
}

/** The last line: `3 users, 40 rows of history, 9 memories and 1 receipt in 1 tenant: no inconsistencies found.` */
export function renderVerificationSummary({ counts, faults, exitCode }: Verification): string {
  const outcome = `${faults > 0 ? pluralise(faults, 'inconsistency', 'inconsistencies') : 'no inconsistencies'} found`;
  if (counts === null) return faults > 0 || exitCode === 0 ? capitalise(`${outcome}.`) : 'Nothing was verified.';
  const { users, rows, memories, receipts, tenants } = counts;
  const compared = `${pluralise(memories, 'memory', 'memories')} and ${pluralise(receipts, 'receipt')}`;
  const verified = `${pluralise(users, 'user')}, ${pluralise(rows, 'row')} of history, ${compared}`;
  return `${verified} in ${pluralise(tenants, 'tenant')}: ${outcome}.`;
}

export function renderVerificationJson({ counts, findings, faults, exitCode }: Verification): string {
  return JSON.stringify({ sound: exitCode === 0, counts, faults, findings });
}

function pluralise(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
