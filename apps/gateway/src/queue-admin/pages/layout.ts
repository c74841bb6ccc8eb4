import { QUEUE_UI_PATH } from '../../http/route-table.js';
import { html, type Html } from './html.js';

export const STYLE_PATH = `${QUEUE_UI_PATH}/style.css`;
export const ICON_PATH = `${QUEUE_UI_PATH}/icon.svg`;

/** Everything comes from this origin, nothing is inline, and no other site may show the page in a frame. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** Whether the links for somebody who is logged in are shown. */
  readonly isLoggedIn: boolean;
  /** Loads the page again after so many seconds. */
  readonly refreshSeconds?: number;
}

const NAVIGATION = html`<nav>
  <a href="${QUEUE_UI_PATH}">Queues</a> <a href="${QUEUE_UI_PATH}/work">Work</a>
  <a href="${QUEUE_UI_PATH}/logout">Log out</a>
</nav>`;

/** A page of the queue UI, without scripts. */
export function renderPage({ title, body, isLoggedIn, refreshSeconds }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${refreshSeconds === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${title} · Annals</title>
        <link rel="icon" href="${ICON_PATH}" />
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <header><strong>Annals</strong> ${isLoggedIn ? NAVIGATION : null}</header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text.replace(/^ {4}/gm, '');
}
