CREATE TABLE "svc_auth"."support_codes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN IF NOT EXISTS "actor_id" uuid;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN IF NOT EXISTS "actor_key_id" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."support_codes" ADD CONSTRAINT "support_codes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
