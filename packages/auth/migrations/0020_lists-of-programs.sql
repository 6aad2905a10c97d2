-- Only if they are not there: on large tables, make them "concurrently" before you migrate.
CREATE INDEX IF NOT EXISTS "device_keys_of_machines" ON "svc_auth"."device_keys" USING btree ("created_at","key_id") WHERE "svc_auth"."device_keys"."kind" = 'machine' and "svc_auth"."device_keys"."state" = 'active';
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "oauth2_clients_by_created" ON "svc_auth"."oauth2_clients" USING btree ("created_at","client_id");
