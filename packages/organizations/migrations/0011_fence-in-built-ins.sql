-- The same as before, of built-in functions alone, so that a fenced statement takes less time. Outside an organization,
-- PostgreSQL has no setting with the name at the end, refuses the statement and shows that name.
CREATE OR REPLACE FUNCTION "organizations"."current_organization"() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    nullif(pg_catalog.current_setting('svc.organization', true), ''),
    pg_catalog.current_setting('Rows of organizations were read or written outside an organization. Use c.db of a route with allow.inOrg, or inOrganization(db, id).')
  )::uuid
$$;
