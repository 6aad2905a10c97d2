ALTER TABLE "svc_auth"."oauth2_grants" ADD COLUMN "ancestors" uuid[];
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_grants" ADD COLUMN "actors" text[];
