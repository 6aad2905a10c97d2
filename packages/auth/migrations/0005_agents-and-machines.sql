CREATE TABLE "svc_auth"."oauth2_clients" (
	"client_id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"uri" text,
	"redirect_uris" text[] NOT NULL,
	"auth_method" text NOT NULL,
	"secret_hash" text,
	"is_dpop_bound" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oauth2_clients_secret" CHECK (("svc_auth"."oauth2_clients"."auth_method" = 'none') = ("svc_auth"."oauth2_clients"."secret_hash" is null))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."oauth2_grants" (
	"grant_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"resource" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"code_expires_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"key_thumbprint" text,
	"key_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"revoked_reason" text,
	CONSTRAINT "oauth2_grants_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "oauth2_grants_state" CHECK ("svc_auth"."oauth2_grants"."state" in ('offered', 'active', 'revoked'))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."oauth2_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"spent_at" timestamp (3) with time zone
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "kind" text DEFAULT 'device' NOT NULL;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "permissions" text[];
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_grants" ADD CONSTRAINT "oauth2_grants_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_grants" ADD CONSTRAINT "oauth2_grants_client_id_oauth2_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "svc_auth"."oauth2_clients"("client_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_grants" ADD CONSTRAINT "oauth2_grants_key_id_device_keys_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "svc_auth"."device_keys"("key_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_tokens" ADD CONSTRAINT "oauth2_tokens_grant_id_oauth2_grants_grant_id_fk" FOREIGN KEY ("grant_id") REFERENCES "svc_auth"."oauth2_grants"("grant_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "oauth2_clients_expire" ON "svc_auth"."oauth2_clients" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "oauth2_grants_of_user" ON "svc_auth"."oauth2_grants" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "oauth2_grants_of_client" ON "svc_auth"."oauth2_grants" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "oauth2_grants_expire" ON "svc_auth"."oauth2_grants" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "oauth2_tokens_of_grant" ON "svc_auth"."oauth2_tokens" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "oauth2_tokens_expire" ON "svc_auth"."oauth2_tokens" USING btree ("expires_at");
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD CONSTRAINT "device_keys_kind" CHECK (("svc_auth"."device_keys"."kind" = 'machine') = ("svc_auth"."device_keys"."permissions" is not null));
