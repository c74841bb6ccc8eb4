/**
 * `annals_app` is what services log in as: it owns nothing and cannot bypass row-level security. `annals_definer` owns
 * the few functions that look across tenants (docs/reference/isolation.md#functions-across-tenants); nobody logs in as
 * it. Roles belong to the whole cluster, so several databases may create them at once.
 */
export const ROLES_SQL = /* sql */ `
DO $$
BEGIN
  CREATE ROLE annals_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$
BEGIN
  CREATE ROLE annals_definer NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- An owner that is no superuser (managed PostgreSQL) may create roles but not act as them until it is told so.
DO $$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT annals_app, annals_definer TO %I', current_user);
  END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS annals;
GRANT USAGE ON SCHEMA annals TO annals_app, annals_definer;
`;
