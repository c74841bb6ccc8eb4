/** The stylesheet of the pages of the queue UI that are not Bull Board's. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d5dae1; --soft: #5c6672; --accent: #1f6feb; --bad: #b3261e; --page: #f6f7f9; --card: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #333b46; --soft: #9aa5b1; --accent: #6ea8fe; --bad: #ff8a80; --page: #12161b; --card: #1a2027; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
header { display: flex; gap: 2rem; align-items: center; padding: 0.8rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line); }
nav { display: flex; gap: 1.2rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: 0.45rem 0.8rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.none { color: var(--soft); }
.bad { color: var(--bad); }
.soft { color: var(--soft); }
.message { padding: 0.7rem 1rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); }
.message.bad { border-left-color: var(--bad); }
code { font: 0.92em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
form.login { max-width: 26rem; padding: 1.2rem; background: var(--card); border: 1px solid var(--line); }
label { display: block; margin-bottom: 0.3rem; font-weight: 600; }
input[type="password"] { width: 100%; margin-bottom: 1rem; padding: 0.5rem; font: inherit; border: 1px solid var(--line); }
button { padding: 0.45rem 1rem; font: inherit; color: #fff; background: #1f6feb; border: 0; border-radius: 4px; cursor: pointer; }
td form { margin: 0; }
td button { padding: 0.15rem 0.6rem; }
`;

/** Added to the style of Bull Board: the link from a job to the page of its work. */
export const BOARD_STYLE = `
a[href*="/admin/queues/work/"] { padding: 0.15rem 0.7rem; color: #fff; background: #1f6feb; border-radius: 4px; text-decoration: none; }
`;

/** Lines of a book. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f6feb"/>' +
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5"/></svg>';
