ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "made_by_key_id" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_requests" ADD COLUMN "approved_by_key_id" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_grants" ADD COLUMN "made_by_key_id" text;
