ALTER TABLE "svc_auth"."users" ADD COLUMN "is_service" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- No row that was there before can break it, so none is read.
ALTER TABLE "svc_auth"."users" ADD CONSTRAINT "users_service" CHECK (not "svc_auth"."users"."is_service" or num_nonnulls("svc_auth"."users"."email", "svc_auth"."users"."phone", "svc_auth"."users"."username", "svc_auth"."users"."password_hash") = 0) NOT VALID;
