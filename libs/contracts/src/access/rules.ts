import type { IrrelevantRule, LimitingRule, RefusingRule, RouteAccess } from './route-access.js';

/** The request names what the key is bound to, or omits it. */
export function byFields<const Field extends string>(...fields: readonly Field[]): LimitingRule<Field> {
  return { effect: 'limits', fields };
}

/** Only `rows` are found, a noun phrase in the plural. */
export function byRows(rows: string): LimitingRule<never> {
  return { effect: 'limits', rows };
}

/** Both: the request names it or omits it, and only `rows` are found. */
export function byFieldsAndRows<const Field extends string>(
  rows: string,
  ...fields: readonly Field[]
): LimitingRule<Field> {
  return { effect: 'limits', fields, rows };
}

/** The agent's allowlist limits the categories; `fields` name the agent that sends the request. */
export function byAllowlist<const Field extends string = never>(...fields: readonly Field[]): LimitingRule<Field> {
  return { effect: 'limits', fields, allowlist: true };
}

/** The route belongs to one category, which the key must be allowed to use. */
export function byCategory(category: string): LimitingRule<never> {
  return { effect: 'limits', category };
}

export function refused(why: string): RefusingRule {
  return { effect: 'refused', why };
}

function irrelevant(why: string): IrrelevantRule {
  return { effect: 'none', why };
}

/** A bound key acts for one user, agent or set of categories, so whatever concerns the whole tenant is refused to it. */
function forWholeTenant(why: string): RouteAccess<never> {
  return { user: refused(why), agent: refused(why), categories: refused(why) };
}

export const TENANT_KEYS = forWholeTenant('keys are managed for the whole tenant');
export const TENANT_RECEIPTS = forWholeTenant('receipts are kept for the whole tenant, and name no user');
export const TENANT_SPENDING = forWholeTenant('budgets and usage cover all users of the tenant');
export const TENANT_APPS = forWholeTenant('apps are installed for the whole tenant');
export const TENANT_GLOBAL = forWholeTenant('global memories are written for all users of the tenant');
export const TENANT_WEBHOOKS = forWholeTenant('endpoints are told of changes of all users of the tenant');
export const TENANT_USERS = forWholeTenant('the list has all users of the tenant');
export const TENANT_WORK = forWholeTenant('background work covers all users of the tenant');

function forNoBinding(why: string): RouteAccess<never> {
  return { user: irrelevant(why), agent: irrelevant(why), categories: irrelevant(why) };
}

export const OPERATOR = forNoBinding('keys of operators have no bindings');
export const EVERY_KEY = forNoBinding(
  'what a key is, and how the deployment is configured, may be known with every key',
);
export const PUBLIC = forNoBinding('no key is needed');
