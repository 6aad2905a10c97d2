CREATE TABLE "svc_auth"."openid_sign_ins" (
	"sign_in_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"key_id" text NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text,
	"nonce" text,
	"authenticated_at" timestamp (3) with time zone NOT NULL,
	"key_thumbprint" text,
	"token_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "openid_sign_ins_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "openid_sign_ins_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "openid_sign_ins_state" CHECK ("svc_auth"."openid_sign_ins"."state" in ('offered', 'active', 'ended')),
	CONSTRAINT "openid_sign_ins_token" CHECK (("svc_auth"."openid_sign_ins"."state" = 'active') = ("svc_auth"."openid_sign_ins"."token_hash" is not null))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."openid_sessions" (
	"sid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"client_id" text NOT NULL,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "openid_sessions_of_key" UNIQUE("key_id","client_id")
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."openid_sign_ins" ADD CONSTRAINT "openid_sign_ins_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."openid_sessions" ADD CONSTRAINT "openid_sessions_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "openid_sign_ins_of_user" ON "svc_auth"."openid_sign_ins" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "openid_sign_ins_expire" ON "svc_auth"."openid_sign_ins" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "openid_sessions_of_user" ON "svc_auth"."openid_sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "openid_sessions_expire" ON "svc_auth"."openid_sessions" USING btree ("signed_in_at");
