import type { JobState } from '@annals/messaging';
import type { WorkStanding } from '@annals/storage';
import { QUEUE_UI_PATH } from '../../http/route-table.js';
import type { SubjectOfWork } from '../actions/subject-of-work.js';
import { html, type Html } from './html.js';
import { renderPage } from './layout.js';
import { renderInstant } from './render-time.js';

const REFRESH_SECONDS = 5;

export interface SubjectView {
  readonly subject: SubjectOfWork;
  /** Null when the work is done and its row is gone, or was erased. */
  readonly standing: WorkStanding | null;
  /** The job of the current generation in the queue; null when there is none. */
  readonly job: { readonly id: string; readonly queue: string; readonly state: JobState } | null;
  readonly token: string;
  /** What the last action did. */
  readonly message: string | null;
}

/** The page of one piece of work: where it is, and what an operator may do about it. */
export function renderSubjectPage({ subject, standing, job, token, message }: SubjectView): string {
  const { kind, tenantId, subjectId } = subject;
  const rows: [string, Html | string | number][] = [
    ['State', renderState(standing)],
    ['Tenant', html`<code>${tenantId}</code>`],
    ['Subject', html`<code>${subjectId}</code>`],
    ...(standing ? describeStanding(standing) : []),
    ...(job ? [['Job', renderJob(job)] as [string, Html]] : []),
  ];
  const body = html`${message === null ? null : html`<p class="message" role="status">${message}</p>`}
    <table>
      <tbody>
        ${rows.map(
          ([name, value]) =>
            html`<tr>
              <th>${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p>${standing ? renderAction(subject, standing, job?.state ?? 'missing', token) : null}</p>`;
  return renderPage({ title: `Work: ${kind}`, body, isLoggedIn: true, refreshSeconds: REFRESH_SECONDS });
}

function renderState(standing: WorkStanding | null): Html {
  if (standing === null) return html`<b data-state="none">none</b>: it is done, or its subject was erased`;
  const code = standing.code === null ? null : html`: <code>${standing.code}</code>`;
  const style = standing.state === 'failed' ? 'bad' : '';
  return html`<b class="${style}" data-state="${standing.state}">${standing.state.replace('_', ' ')}</b>${code}`;
}

function describeStanding({ kind, generation, attempts, dueAt }: WorkStanding): [string, Html | string | number][] {
  return [
    ['Stage', kind],
    ['Generation', generation],
    ['Attempts', attempts],
    ...(dueAt === null ? [] : [['Due', renderInstant(dueAt)] as [string, string]]),
  ];
}

function renderJob({ id, queue, state }: NonNullable<SubjectView['job']>): Html {
  return html`<a href="${QUEUE_UI_PATH}/queue/${queue}/${id}"><code>${id}</code></a> (${state})`;
}

/** Failed work can be retried; work that waits for a later time, here or in the queue, can be promoted. */
function renderAction(subject: SubjectOfWork, standing: WorkStanding, jobState: JobState, token: string): Html | null {
  const { state, generation } = standing;
  if (state === 'failed') return renderForm(subject, 'retry', 'Retry', generation, token);
  if (state === 'deferred' || state === 'scheduled' || (state === 'in_flight' && jobState === 'delayed')) {
    return renderForm(subject, 'promote', 'Promote: run it now', generation, token);
  }
  return null;
}

function renderForm(
  { path }: SubjectOfWork,
  action: 'retry' | 'promote',
  label: string,
  generation: number,
  token: string,
): Html {
  return html`<form method="post" action="${path}/${action}">
    <input type="hidden" name="token" value="${token}" />
    <input type="hidden" name="generation" value="${generation}" />
    <button>${label}</button>
  </form>`;
}
