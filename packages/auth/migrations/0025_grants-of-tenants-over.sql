-- Only if it is not there: on large tables, make it "concurrently" before you migrate.
CREATE INDEX IF NOT EXISTS "oauth2_grants_of_tenants" ON "svc_auth"."oauth2_grants" USING btree ("state","expires_at") WHERE "svc_auth"."oauth2_grants"."tenant" is not null;
