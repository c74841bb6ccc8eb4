import type { Config } from '@annals/config';
import { adviseWriting, joinAdvice, type ManualWriting } from '@annals/domain';
import {
  type ClaimedWork,
  type Infrastructure,
  type JobAttempt,
  LeaseLostError,
  type Redactors,
} from '@annals/runtime';
import {
  loadWritingChecks,
  lockVaultUser,
  type MemoryWriteCommand,
  renewWork,
  type Tx,
  writeMemories,
} from '@annals/storage';
import { type EditRules, type EditRun, RedactionUnavailableError, type TakenEdits, takeEdits } from '@annals/vault';
import { randomBytes } from 'node:crypto';

/** How long a file stays as it is before it is taken over: editors save while somebody writes. */
const QUIET_MS = 2_000;

/** What is needed to make changes of memories of what people write into files. */
export interface EditSettings {
  readonly redactors: Pick<Redactors, 'of'>;
  readonly config: Config<'writing' | 'retention'>;
  readonly leaseMs: number;
}

type EditDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'metrics' | 'logger'>;

const EDITS = ['changed', 'added', 'deleted', 'restored', 'refused', 'returned', 'withheld'] as const;

/**
 * Takes over what people did to the files of a user, with the rules of memories that are written through the API: redaction, the writing checks
 * of the tenant, and the audit history, where the actor is `vault`.
 * @throws LeaseLostError when another worker has the user, or they were erased
 */
export async function takeVaultEdits(
  dependencies: EditDependencies,
  settings: EditSettings,
  run: Pick<EditRun, 'folder' | 'index' | 'repository'> & {
    readonly userId: string;
    readonly work: ClaimedWork;
    readonly attempt: JobAttempt;
  },
): Promise<TakenEdits> {
  const { database, clock, metrics, logger } = dependencies;
  const { folder, index, repository, userId, work, attempt } = run;
  const { tenantId, subjectId } = work;
  const { signal } = attempt;
  const edits = await takeEdits({
    folder,
    userId,
    index,
    repository,
    clock,
    signal,
    settle: () => attempt.withoutSlot(() => waitQuietly(dependencies, signal)),
    loadRules: () => loadRules(dependencies, settings, tenantId),
    transact: (change) =>
      database.inTenant(tenantId, async (tx) => {
        if (!(await lockVaultUser(tx, userId))) throw new LeaseLostError();
        const result = await change(tx);
        const isHeld = await renewWork(tx, { ...work, now: clock.now(), leaseMs: settings.leaseMs });
        if (!isHeld) throw new LeaseLostError();
        return result;
      }),
    apply: (tx, changes) => applyChanges(tx, { userId, changes }, dependencies, settings),
  });
  for (const edit of EDITS) metrics.add('memory_llm_vault_edits_total', edits[edit], { edit });
  const { isChanging: _isChanging, ...counts } = edits;
  if (EDITS.some((edit) => counts[edit] > 0)) logger.info('vault_edits_taken', { tenantId, subjectId, ...counts });
  return edits;
}

async function loadRules(
  { database, metrics }: EditDependencies,
  { redactors, config }: EditSettings,
  tenantId: string,
): Promise<EditRules> {
  const [redactor, checks] = await Promise.all([
    redactors.of(tenantId),
    database.readTenant(tenantId, async (tx) => (await loadWritingChecks(tx)) ?? config.writing.checks),
  ]);
  const advise = (writing: ManualWriting): string | null => {
    const violations = checks === 'off' ? [] : adviseWriting(writing);
    const outcome = checks === 'refuse' ? 'refused' : 'stored';
    for (const { rule } of violations) metrics.inc('memory_llm_manual_writing_violations_total', { rule, outcome });
    return checks === 'refuse' ? joinAdvice(violations) : null;
  };
  return {
    redact(text) {
      try {
        return redactor.redact(text);
      } catch (error) {
        // Without a usable key of the tenant, which Redactors has logged.
        throw new RedactionUnavailableError('The text cannot be redacted now.', { cause: error });
      }
    },
    adviseAgainst: ({ change, text }) =>
      text === null || !('memory' in change) ? null : advise({ content: text, type: change.memory.type }),
  };
}

async function applyChanges(
  tx: Tx,
  { userId, changes }: Pick<MemoryWriteCommand, 'userId' | 'changes'>,
  { clock, ids }: EditDependencies,
  { config }: EditSettings,
) {
  const command = { userId, actor: 'vault', node: 'worker', changes, existingUserOnly: true };
  const { purgeAfterMs } = config.retention;
  const written = await writeMemories(tx, command, { clock, ids, randomBytes, purgeAfterMs });
  if (written.outcome === 'applied') return written.results;
  throw new LeaseLostError();
}

function waitQuietly({ clock }: Pick<EditDependencies, 'clock'>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      timer.stop();
      reject(signal.reason as Error);
    };
    const timer = clock.startTimer(QUIET_MS, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
