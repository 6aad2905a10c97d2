-- Apart, and only if they are not there: on large tables, make them "concurrently" before you migrate.
CREATE INDEX IF NOT EXISTS "device_keys_of_operator" ON "svc_auth"."device_keys" USING btree ("actor_id") WHERE "svc_auth"."device_keys"."actor_id" is not null;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "device_keys_of_support" ON "svc_auth"."device_keys" USING btree ("actor_key_id") WHERE "svc_auth"."device_keys"."kind" = 'support' and "svc_auth"."device_keys"."state" = 'active';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_events_by_target" ON "svc_auth"."audit_events" USING btree ("target","at");
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "audit_events_unsealed" ON "svc_auth"."audit_events" USING btree ("audit_id") WHERE "svc_auth"."audit_events"."position" is null;
