import { ICON_PATH } from '../pages/layout.js';
import { html, Html } from '../pages/html.js';
import { QUEUE_UI_PATH } from '../../http/route-table.js';

export const BOARD_STYLE_PATH = `${QUEUE_UI_PATH}/board.css`;

/**
 * Scripts and styles of this origin only. Nothing is inline but the configuration, which is data and not run. Bull Board
 * sets styles of single elements by script, which a policy does not forbid.
 */
export const BOARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * Bull Board's page with the scripts and styles that its template names. The template itself has inline styles and loads
 * fonts from another host. Throws when it names none: then this release of Bull Board is made differently.
 */
export function renderBoardPage(template: string, config: object): string {
  const scripts = find(template, /<script [^>]*src="(static\/[\w./-]+\.js)"/g);
  const styles = find(template, /<link [^>]*href="(static\/[\w./-]+\.css)"/g);
  if (scripts.length === 0 || styles.length === 0) throw new Error("Bull Board's page names no scripts or no styles.");
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <base href="${QUEUE_UI_PATH}/" />
        <title>Annals queues</title>
        <link rel="icon" href="${ICON_PATH}" />
        ${[...styles, BOARD_STYLE_PATH].map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body class="preload">
        <script id="__UI_CONFIG__" type="application/json">
          ${new Html(JSON.stringify(config).replace(/[<>]/g, escapeInScript))}
        </script>
        <div id="root"></div>
        ${scripts.map((src) => html`<script defer src="${src}"></script>`)}
      </body>
    </html> `.text;
}

function find(template: string, pattern: RegExp): string[] {
  return Array.from(template.matchAll(pattern), ([, file]) => file!);
}

function escapeInScript(character: string): string {
  return character === '<' ? '\\u003c' : '\\u003e';
}
