CREATE SCHEMA "organizations";
--> statement-breakpoint
GRANT USAGE ON SCHEMA "organizations" TO PUBLIC;
--> statement-breakpoint
-- Says what to use, instead of an empty result.
CREATE FUNCTION "organizations"."outside_organization"() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RAISE EXCEPTION 'Rows of organizations were read or written outside an organization. Use c.db of a route with allow.inOrg, or inOrganization(db, id).'
    USING ERRCODE = 'SVC01';
END
$$;
--> statement-breakpoint
-- The organization of this statement or transaction. Policies of tenant tables ask it once a statement. As one
-- expression of SQL, it becomes a part of their plan, which costs half of what a call would.
CREATE FUNCTION "organizations"."current_organization"() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN pg_catalog.current_setting('svc.organization', true) <> ''
    THEN pg_catalog.current_setting('svc.organization', true)::uuid
    ELSE organizations.outside_organization()
  END
$$;
--> statement-breakpoint
-- Roles belong to all databases of a server, so another database may have made it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'svc_across_organizations') THEN
    CREATE ROLE "svc_across_organizations" NOLOGIN;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN
    NULL;
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'The role "%" can''t create a role: run "CREATE ROLE svc_across_organizations NOLOGIN" and "GRANT svc_across_organizations TO % WITH ADMIN OPTION" as a role that can, and migrate again.', current_user, quote_ident(current_user);
END
$$;
--> statement-breakpoint
-- The role sees what the application's role sees. Only its policies differ.
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT format('GRANT USAGE ON SCHEMA %I TO "svc_across_organizations"', nspname) AS change
    FROM pg_catalog.pg_namespace
    WHERE nspname !~ '^pg_' AND pg_has_role(nspowner, 'usage')
    UNION ALL
    SELECT format(
      CASE relkind
        WHEN 'S' THEN 'GRANT USAGE, SELECT ON SEQUENCE %s TO "svc_across_organizations"'
        ELSE 'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO "svc_across_organizations"'
      END, c.oid::regclass)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND pg_has_role(relowner, 'usage')
      AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  LOOP
    EXECUTE each.change;
  END LOOP;
END
$$;
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO "svc_across_organizations";
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "svc_across_organizations";
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES GRANT USAGE, SELECT ON SEQUENCES TO "svc_across_organizations";
