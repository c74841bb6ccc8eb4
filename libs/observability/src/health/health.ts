/**
 * A dependency that a process needs in order to work. `probe` resolves with an optional detail, or throws if the
 * dependency fails.
 */
export interface HealthCheck {
  readonly name: string;
  probe(): Promise<string | void>;
}

interface HealthResult {
  readonly name: string;
  readonly status: 'ok' | 'failing';
  /** A detail of the check, or the reason why it fails. Never the message of an arbitrary error. */
  readonly detail?: string;
}

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  readonly checks: readonly HealthResult[];
}

/** Thrown by a check to publish its message; messages of all other errors are not published. */
export class HealthCheckFailure extends Error {
  override readonly name = 'HealthCheckFailure';
}

/**
 * Runs all checks concurrently; a check that takes longer than `timeoutMs` is failing. Results are in the order of the
 * checks. Never rejects.
 */
export async function runHealthChecks(checks: readonly HealthCheck[], timeoutMs: number): Promise<HealthReport> {
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)));
  return { status: results.every(({ status }) => status === 'ok') ? 'ok' : 'failing', checks: results };
}

async function runCheck(check: HealthCheck, timeoutMs: number): Promise<HealthResult> {
  const { name } = check;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HealthCheckFailure(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const detail = await Promise.race([Promise.resolve().then(() => check.probe()), timeout]);
    return detail ? { name, status: 'ok', detail } : { name, status: 'ok' };
  } catch (error) {
    return { name, status: 'failing', detail: describeCheckFailure(error) };
  } finally {
    clearTimeout(timer);
  }
}

function describeCheckFailure(error: unknown): string {
  if (error instanceof HealthCheckFailure) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'unavailable';
}
