-- Only if it is not there: on large tables, make it "concurrently" before you migrate.
CREATE INDEX IF NOT EXISTS "audit_events_by_organization" ON "svc_auth"."audit_events" USING btree (("details" ->> 'organizationId'),"at","audit_id") WHERE length("svc_auth"."audit_events"."details" ->> 'organizationId') = 36;
