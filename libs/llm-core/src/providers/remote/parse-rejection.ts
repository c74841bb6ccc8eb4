import type { Rejection, RequestPlan } from './endpoint-capabilities.js';

/** An answer to a request that was not understood, in the words of the server. */
export interface RejectedRequest {
  status: number | undefined;
  message: string;
}

/** An optional part of a request and how servers call it. */
export interface OptionalParameter {
  parameter: string;
  names: RegExp;
}

const REJECTING_STATUSES = new Set([400, 404, 422]);

/** Servers quote what they were sent: a name counts only beside a complaint. */
const COMPLAINT =
  /not (?:\w+ )?(?:support|permit|allow|accept|recogni[sz]|implement|enabled|available|valid)|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|must be|extra (?:inputs?|fields?)|forbidden|deprecated|failed to/i;

/** The parameter is known, its value does not fit: giving up the parameter would not help. */
const SIZE = /too (?:large|long|big|high|many)|exceed|at most|context (?:length|window|size)/i;

/**
 * Which part of a request a server complains about, if it is one that can be given up.
 * @param sent the optional parameters of the request, the most specific name first
 * @param modePattern how servers call the demand for structured output
 */
export function parseRejection(
  { status, message }: RejectedRequest,
  plan: RequestPlan,
  sent: readonly OptionalParameter[],
  modePattern: RegExp,
): Rejection | undefined {
  if (status === undefined || !REJECTING_STATUSES.has(status)) return undefined;
  if (!COMPLAINT.test(message) || SIZE.test(message)) return undefined;
  const named = sent.find(({ parameter, names }) => !plan.rejected.has(parameter) && names.test(message));
  if (named) return { kind: 'parameter', parameter: named.parameter };
  return plan.mode !== 'text' && modePattern.test(message) ? { kind: 'mode' } : undefined;
}
