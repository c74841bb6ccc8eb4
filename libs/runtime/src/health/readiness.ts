import type { Health } from '@annals/contracts';
import { type HealthCheck, runHealthChecks } from '@annals/observability';

const CHECK_TIMEOUT_MS = 2_000;

/**
 * The readiness of a process. Fails from the moment when the process begins to stop, so that no new work is sent to it.
 */
export class Readiness {
  private stopping = false;

  constructor(private readonly checks: readonly HealthCheck[]) {}

  startStopping(): void {
    this.stopping = true;
  }

  async check(): Promise<Health> {
    if (this.stopping)
      return { status: 'failing', checks: [{ name: 'process', status: 'failing', detail: 'the process is stopping' }] };
    const { status, checks } = await runHealthChecks(this.checks, CHECK_TIMEOUT_MS);
    return { status, checks: [...checks] };
  }
}
