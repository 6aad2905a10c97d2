ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "signed_in_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "signed_in_by" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "unused_seconds" integer;
