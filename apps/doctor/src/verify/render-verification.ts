import type { Verification } from './verify.js';

/** The last line: `3 users, 40 rows of history and 1 receipt in 1 tenant: no inconsistencies found.` */
export function renderVerificationSummary({ counts, faults, exitCode }: Verification): string {
  const outcome = `${faults > 0 ? count(faults, 'inconsistency', 'inconsistencies') : 'no inconsistencies'} found`;
  if (counts === null) return faults > 0 || exitCode === 0 ? capitalise(`${outcome}.`) : 'Nothing was verified.';
  const { users, rows, receipts, tenants } = counts;
  const verified = `${count(users, 'user')}, ${count(rows, 'row')} of history and ${count(receipts, 'receipt')}`;
  return `${verified} in ${count(tenants, 'tenant')}: ${outcome}.`;
}

/** The whole verification as one JSON document. */
export function renderVerificationJson({ counts, findings, faults, exitCode }: Verification): string {
  return JSON.stringify({ sound: exitCode === 0, counts, faults, findings });
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
