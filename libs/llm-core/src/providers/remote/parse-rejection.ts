import type { Rejection, RequestPlan } from './endpoint-capabilities.js';

/** An error response to a request, with the server's message. */
export interface RejectedRequest {
  status: number | undefined;
  message: string;
}

/** An optional parameter of a request and the pattern of its names in error messages. */
export interface OptionalParameter {
  parameter: string;
  names: RegExp;
}

const REJECTING_STATUSES = new Set([400, 404, 422]);

/** Servers quote the request in error messages: a parameter name counts only together with one of these phrases. */
const COMPLAINT =
  /not (?:\w+ )?(?:support|permit|allow|accept|recogni[sz]|implement|enabled|available|valid)|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|must be|extra (?:inputs?|fields?)|forbidden|deprecated|failed to/i;

/** The parameter is supported but its value is too large: omitting the parameter would not help. */
const SIZE = /too (?:large|long|big|high|many)|exceed|at most|context (?:length|window|size)/i;

/**
 * Parses which optional part of a request a server rejects, if any.
 * @param sent the optional parameters of the request, most specific name first
 * @param modePattern names that servers use for structured output
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
