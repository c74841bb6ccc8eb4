/** One thing a process needs to be able to work. `probe` resolves with an optional detail, or throws. */
export interface HealthCheck {
  readonly name: string;
  probe(): Promise<string | void>;
}

export interface HealthResult {
  readonly name: string;
  readonly status: 'ok' | 'failing';
  /** A safe sentence or word: what a check says of itself, or why it fails. Never the message of an error. */
  readonly detail?: string;
}

export interface HealthReport {
  readonly status: 'ok' | 'failing';
  readonly checks: readonly HealthResult[];
}

/** A check throws this to have its sentence shown; the message of any other error stays inside. */
export class HealthCheckFailure extends Error {
  override readonly name = 'HealthCheckFailure';
}

/**
 * Runs all checks at once; one that takes longer than `timeoutMs` is failing. Results keep the order of the checks.
 * Never rejects.
 */
export async function runHealthChecks(checks: readonly HealthCheck[], timeoutMs: number): Promise<HealthReport> {
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)));
  return { status: results.every(({ status }) => status === 'ok') ? 'ok' : 'failing', checks: results };
}

async function runCheck(check: HealthCheck, timeoutMs: number): Promise<HealthResult> {
  const { name } = check;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HealthCheckFailure(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const detail = await Promise.race([Promise.resolve().then(() => check.probe()), late]);
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
