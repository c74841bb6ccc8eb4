import { type Environment, ConfigError } from '@annals/config';
import { erasureReceiptSchema } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import {
  type AuditCounts,
  type AuditFinding,
  type AuditReport,
  type ChainHead,
  compareHeads,
  findTenant,
  judgeReceipt,
  readHeads,
  sqlState,
  verifyAudit,
} from '@annals/storage';
import { readFile } from 'node:fs/promises';
import type { WantedVerify } from '../cli/parse-arguments.js';
import { type Finding, fail, ok } from '../report/finding.js';
import { describeAuditFinding } from './describe-audit-finding.js';
import { HeadsFileError, readHeadsFile, writeHeadsFile } from './heads-file.js';
import { AuditUnavailableError, type OpenAudit, openAudit } from './open-audit.js';

/** EX_UNAVAILABLE and EX_CONFIG of sysexits.h. */
const EXIT_CODE_UNAVAILABLE = 69;
const EXIT_CODE_CONFIG = 78;
/** So many are told one by one: more say nothing new, and would fill the memory. */
const MOST_TOLD = 1_000;
const HEADS_AT_ONCE = 500;
/** SQLSTATE of a table, function or schema that is not there. */
const NOT_MIGRATED = ['42P01', '42883', '3F000'];

export interface VerifyOptions {
  readonly env: Environment;
  readonly wanted: Omit<WantedVerify, 'command' | 'isJson'>;
  readonly clock: Clock;
  /** Told of each finding as soon as it is there. */
  tell(finding: Finding): void;
}

export interface Verification {
  readonly counts: AuditCounts | null;
  readonly findings: readonly Finding[];
  /** Everything that does not fit, also what was not told one by one. */
  readonly faults: number;
  /** 0, 1 when something does not fit, 69 when that cannot be told, 78 when the configuration is wrong. */
  readonly exitCode: number;
}

/** Verifies the audit of the configured installation (decision 42). */
export async function runVerify(options: VerifyOptions): Promise<Verification> {
  const visit = new AuditVisit(options);
  try {
    const audit = await openAudit(options.env);
    try {
      await visit.examine(audit);
    } finally {
      await audit.close();
    }
    return visit.conclude();
  } catch (error) {
    visit.tell(...explainFailure(error));
    return { ...visit.conclude(), exitCode: error instanceof ConfigError ? EXIT_CODE_CONFIG : EXIT_CODE_UNAVAILABLE };
  }
}

/** Throws what nobody expected. */
function explainFailure(error: unknown): Finding[] {
  if (error instanceof ConfigError) {
    return error.problems.map(({ sentence }) => ({ check: 'configuration', verdict: 'fail', found: sentence }));
  }
  if (error instanceof AuditUnavailableError || error instanceof HeadsFileError) {
    return [{ check: 'audit', verdict: 'fail', found: error.message }];
  }
  if (NOT_MIGRATED.includes(sqlState(error) ?? '')) {
    return [fail('audit', 'The schema is older than this version.', 'Run the migration, then verify.')];
  }
  const { code, path } = error as { code?: unknown; path?: unknown };
  if (code === 'ENOENT') return [fail('audit', `There is no file ${String(path)}.`, 'Check its name.')];
  if (code === 'EEXIST') return [fail('audit', `The file ${String(path)} exists already.`, 'Name a new one.')];
  throw error;
}

/** One run. */
class AuditVisit {
  private readonly findings: Finding[] = [];
  private faults = 0;
  private counts: AuditCounts | null = null;

  constructor(private readonly options: VerifyOptions) {}

  tell(...findings: readonly Finding[]): void {
    for (const finding of findings) {
      this.findings.push(finding);
      this.options.tell(finding);
    }
  }

  conclude(): Verification {
    const { counts, findings, faults } = this;
    return { counts, findings, faults, exitCode: faults > 0 ? 1 : 0 };
  }

  async examine(audit: OpenAudit): Promise<void> {
    const { wanted } = this.options;
    if (wanted.receipt !== null) return this.examineReceipt(audit, wanted.receipt);
    const { database, key } = audit;
    const tenantId = await this.findTenantId(audit);
    this.counts = await verifyAudit(database, { tenantId, key, report: this.report });
    if (wanted.against !== null) await this.examineHeads(audit, wanted.against, tenantId);
    if (this.faults > MOST_TOLD) {
      const found = `${this.faults - MOST_TOLD} more rows do not fit.`;
      this.tell(fail('audit', found, 'Restore a backup, and hold that against exported heads.'));
    }
    if (wanted.exportHeads !== null) await this.exportHeads(audit, wanted.exportHeads, tenantId);
  }

  private readonly report: AuditReport = (finding: AuditFinding) => {
    this.faults += 1;
    if (this.faults <= MOST_TOLD) this.tell(describeAuditFinding(finding));
  };

  private async findTenantId({ database }: OpenAudit): Promise<string | null> {
    const { tenant } = this.options.wanted;
    if (tenant === null) return null;
    const id = await findTenant(database, tenant);
    if (id === null) throw new AuditUnavailableError(`There is no tenant ${JSON.stringify(tenant)}.`);
    return id;
  }

  private async examineReceipt({ database, key }: OpenAudit, file: string): Promise<void> {
    const parsed = erasureReceiptSchema.safeParse(parseJson(await readFile(file, 'utf8')));
    if (!parsed.success)
      throw new AuditUnavailableError(`${file} is no receipt: take the answer of DELETE /v1/users/….`);
    const receipt = parsed.data;
    const { tenant_id: tenantId, user_id: userId, chain } = receipt;
    const faults = await judgeReceipt(database, key, receipt);
    for (const fault of faults) this.report({ fault, tenantId, userId, seq: chain.seq });
    if (faults.length > 0) return;
    const found = `User ${JSON.stringify(userId)} of tenant ${tenantId} was erased at ${receipt.erased_at}: the receipt is genuine, and the history tells of it at row ${chain.seq}.`;
    this.tell(ok('audit.receipt', found));
  }

  private async examineHeads({ database, key }: OpenAudit, file: string, only: string | null): Promise<void> {
    let together: ChainHead[] = [];
    let count = 0;
    const compare = async () => {
      if (together.length > 0) await compareHeads(database, together[0]!.tenantId, together, this.report);
      together = [];
    };
    for await (const head of readHeadsFile(file, key)) {
      if (only !== null && head.tenantId !== only) continue;
      if (together.length === HEADS_AT_ONCE || together[0]?.tenantId !== head.tenantId) await compare();
      together.push(head);
      count += 1;
    }
    await compare();
    this.tell(ok('audit.heads', `The ends of ${count} histories were held against ${file}.`));
  }

  private async exportHeads({ database, key }: OpenAudit, file: string, only: string | null): Promise<void> {
    if (this.faults > 0) {
      this.tell(fail('audit.heads', `No heads were written to ${file}.`, 'Only what fits is worth being signed.'));
      return;
    }
    const count = await writeHeadsFile(file, readHeads(database, only), { key, now: this.options.clock.now() });
    this.tell(ok('audit.heads', `The ends of ${count} histories were written to ${file}: keep it elsewhere.`));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
