import { COUNTED, type TallyState } from './tally.js';

interface ReportOptions {
  readonly isDryRun: boolean;
  /** Whether memories are extracted from what was posted. */
  readonly isExtracted: boolean;
  /** Whether the program has waited for it. */
  readonly hasWaited: boolean;
}

export const NOTHING_FOUND = 'Nothing to import was found in the file.';

/** The report of an import, as lines. */
export function renderReport({ counts, extracted, reasons }: TallyState, options: ReportOptions): string[] {
  const { isDryRun, isExtracted, hasWaited } = options;
  const verb = isDryRun ? 'would be new' : 'new';
  const lines = COUNTED.filter((kind) => counts[kind].read > 0).map((kind) => {
    const { read, taken, already_there: known, refused } = counts[kind];
    const name = kind.replace('_', ' ');
    // Nothing was asked of the server.
    if (isDryRun && isExtracted) return `${name}: ${read} read`;
    return `${name}: ${read} read, ${taken} ${verb}, ${known} already there, ${refused} refused`;
  });
  if (lines.length === 0) lines.push(NOTHING_FOUND);
  if (isExtracted && !isDryRun) lines.push(...describeExtraction(extracted, hasWaited));
  const [refused, leftOut] = [reasons.filter(({ isRefused }) => isRefused), reasons.filter((each) => !each.isRefused)];
  if (refused.length > 0) lines.push('refused:', ...refused.map(describeReason));
  if (leftOut.length > 0) lines.push('not taken:', ...leftOut.map(describeReason));
  if (isDryRun) lines.push('This was a dry run: nothing has changed.');
  return lines;
}

function describeExtraction(
  { inserted, updated, batches, deferred, failed }: TallyState['extracted'],
  hasWaited: boolean,
) {
  if (!hasWaited) return [`memories are being extracted from ${batches} batches: see GET /v1/batches`];
  const lines = [`memories: ${inserted} extracted, ${updated} confirmed, from ${batches} batches`];
  if (deferred > 0) {
    lines.push(
      `${deferred} batches wait for the budget or the model, and are extracted by themselves: see GET /v1/batches`,
    );
  }
  if (failed > 0) lines.push(`${failed} batches failed: see GET /v1/batches?status=failed, and replay them`);
  return lines;
}

const describeReason = ({ reason, count }: TallyState['reasons'][number]) => `  ${count} × ${reason}`;
