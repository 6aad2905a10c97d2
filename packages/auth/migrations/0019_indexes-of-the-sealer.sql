-- Only if they are not there: on large tables, make them "concurrently" before you migrate.
CREATE INDEX IF NOT EXISTS "audit_events_settled" ON "svc_auth"."audit_events" USING btree ("audit_id") WHERE ("svc_auth"."audit_events"."position" is null and "svc_auth"."audit_events"."repeat_key" is null);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_events_counting" ON "svc_auth"."audit_events" USING btree ("at") WHERE ("svc_auth"."audit_events"."position" is null and "svc_auth"."audit_events"."repeat_key" is not null);
