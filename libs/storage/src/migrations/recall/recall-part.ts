import type { DefinerFunction } from '../sql/definer-functions.sql.js';

/** What one capability brings to the schema. */
export interface RecallPart {
  /** Statements that make or change tables. */
  readonly tables: string;
  /** What services may do with each new table of a tenant, children before parents. */
  readonly appPrivileges: Readonly<Record<string, string>>;
  /** Further privileges of services on tables that exist already, or of no tenant. */
  readonly appGrants?: Readonly<Record<string, string>>;
  /** What the functions below may touch beyond deleting a tenant. */
  readonly definerPrivileges?: Readonly<Record<string, string>>;
  readonly functions?: readonly DefinerFunction[];
}
