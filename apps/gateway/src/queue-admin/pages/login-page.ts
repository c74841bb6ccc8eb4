import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { html } from './html.js';
import { renderPage } from './layout.js';

/** `problem`: why the last attempt was refused. */
export function renderLoginPage(problem: string | null): string {
  const message = problem === null ? null : html`<p class="message bad" role="alert">${problem}</p>`;
  const body = html`${message}
    <form class="login" method="post" action="${QUEUE_UI_PATH}/login">
      <label for="key">Operator key</label>
      <input id="key" name="key" type="password" autocomplete="off" required autofocus />
      <button>Log in</button>
    </form>
    <p class="soft">A session lasts eight hours, and ends when its key is revoked.</p>`;
  return renderPage({ title: 'Queues', body, isLoggedIn: false });
}

export function renderLogoutPage(token: string): string {
  const body = html`<form method="post" action="${QUEUE_UI_PATH}/logout">
    <input type="hidden" name="token" value="${token}" />
    <button>Log out</button>
  </form>`;
  return renderPage({ title: 'Log out', body, isLoggedIn: true });
}

/** A page that says in a sentence what went wrong. */
export function renderProblemPage(title: string, detail: string, isLoggedIn: boolean): string {
  return renderPage({ title, body: html`<p class="message bad" role="alert">${detail}</p>`, isLoggedIn });
}
