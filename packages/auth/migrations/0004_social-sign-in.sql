CREATE TABLE "svc_auth"."oauth_pending" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"provider" text NOT NULL,
	"is_new_user" boolean NOT NULL,
	"public_key" text,
	"key_id" text,
	"fingerprint" text,
	"algorithm" text,
	"device_name" text,
	"platform" text,
	"return_url" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."social_accounts" (
	"provider" text NOT NULL,
	"provider_user_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"linked_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "social_accounts_provider_provider_user_id_pk" PRIMARY KEY("provider","provider_user_id"),
	CONSTRAINT "social_accounts_one_of_each" UNIQUE("user_id","provider")
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth_pending" ADD CONSTRAINT "oauth_pending_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."social_accounts" ADD CONSTRAINT "social_accounts_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "oauth_pending_of_user" ON "svc_auth"."oauth_pending" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "oauth_pending_expire" ON "svc_auth"."oauth_pending" USING btree ("expires_at");
