import type { WorkKind } from '@annals/contracts';
import type { WorkReason } from '@annals/storage';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import type { KindOfWork } from '../../work/read-work-overview.js';
import { html, type Html } from './html.js';
import { renderPage } from './layout.js';
import { renderDuration } from './render-time.js';

const REFRESH_SECONDS = 10;

export interface WorkOverview {
  readonly kinds: readonly KindOfWork[];
  /** Of the forms of the page. */
  readonly token: string;
  /** What the last action did. */
  readonly message: string | null;
}

/** The work of all tenants by kind, as it is in PostgreSQL: counts, codes and ages only. */
export function renderWorkPage({ kinds, token, message }: WorkOverview): string {
  const reasons = kinds.flatMap((kind) => kind.reasons);
  const body = html`${message === null ? null : html`<p class="message" role="status">${message}</p>`}
    <p class="soft">
      Work of all tenants in PostgreSQL, where it is until it is done. A queue holds only what is in flight. This page
      loads itself again every ${REFRESH_SECONDS} seconds.
    </p>
    <table>
      <thead>
        <tr>
          <th>Kind</th>
          <th class="number">Due</th>
          <th class="number">In flight</th>
          <th class="number">Later</th>
          <th class="number">Deferred</th>
          <th class="number">Failed</th>
          <th class="number">Oldest due</th>
          <th class="number">Oldest in flight</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${kinds.map((kind) => renderKind(kind, token))}
      </tbody>
    </table>
    <h2>Why work is deferred</h2>
    ${renderReasons(reasons, 'deferred')}
    <h2>Why work has failed</h2>
    ${renderReasons(reasons, 'failed')}`;
  return renderPage({ title: 'Work', body, isLoggedIn: true, refreshSeconds: REFRESH_SECONDS });
}

function renderKind({ kind, ...load }: KindOfWork, token: string): Html {
  const { due, inFlight, scheduled, deferred, failed } = load;
  return html`<tr data-kind="${kind}">
    <td><a href="${QUEUE_UI_PATH}/queue/${kind}">${kind}</a></td>
    <td class="number">${due}</td>
    <td class="number">${inFlight}</td>
    <td class="number">${scheduled}</td>
    <td class="number">${deferred}</td>
    <td class="number ${failed > 0 ? 'bad' : ''}">${failed}</td>
    <td class="number">${renderAge(load.oldestDueMs)}</td>
    <td class="number">${renderAge(load.oldestInFlightMs)}</td>
    <td>${failed > 0 ? renderRetry(kind, token) : null}</td>
  </tr>`;
}

function renderAge(ms: number): string {
  return ms > 0 ? renderDuration(ms) : '–';
}

function renderRetry(kind: WorkKind, token: string): Html {
  return html`<form method="post" action="${QUEUE_UI_PATH}/work/${kind}/retry-failed">
    <input type="hidden" name="token" value="${token}" />
    <button>Retry failed jobs</button>
  </form>`;
}

const MEANINGS: Readonly<Record<string, string>> = {
  budget_exceeded: 'until a budget has room: the next day, or a raised limit',
  provider_unavailable: 'until a model provider answers again',
  circuit_open: 'until the circuit breaker of a model provider closes',
  energy: 'until minds may draw energy',
  not_due: 'until the next turn of a mind',
};

function renderReasons(reasons: readonly WorkReason[], state: WorkReason['state']): Html {
  const shown = reasons.filter((reason) => reason.state === state);
  if (shown.length === 0) return html`<p class="soft">None.</p>`;
  const rows = shown.map(
    ({ kind, code, rows: count }) =>
      html`<tr data-reason="${state} ${kind} ${code}">
        <td>${kind}</td>
        <td><code>${code}</code></td>
        <td class="number">${count}</td>
        <td class="soft">${MEANINGS[code]}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th>Kind</th>
        <th>Code</th>
        <th class="number">Rows</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
