CREATE TABLE "svc_auth"."passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"key_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passkey_challenges_user" CHECK (("svc_auth"."passkey_challenges"."kind" = 'login') = ("svc_auth"."passkey_challenges"."user_id" is null))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."passkeys" (
	"passkey_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" jsonb NOT NULL,
	"aaguid" text NOT NULL,
	"label" text,
	"second_factor" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"ring_key_id" text NOT NULL,
	"used_at" timestamp (3) with time zone
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."sign_in_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"generation" integer NOT NULL,
	"provider" text NOT NULL,
	"channel" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_challenges_key_id_unique" UNIQUE("key_id")
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."totp_secrets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "authenticated_at" timestamp (3) with time zone;
--> statement-breakpoint
UPDATE "svc_auth"."device_keys" SET "authenticated_at" = "created_at";
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ALTER COLUMN "authenticated_at" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "binding" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_requests" ADD COLUMN "authenticated_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_requests" ADD COLUMN "binding" text;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_requests" ADD COLUMN "key_expires_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "svc_auth"."passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."passkeys" ADD CONSTRAINT "passkeys_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "passkey_challenges_expire" ON "svc_auth"."passkey_challenges" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_of_user" ON "svc_auth"."passkey_challenges" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "passkeys_of_user" ON "svc_auth"."passkeys" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "recovery_codes_of_user" ON "svc_auth"."recovery_codes" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sign_in_challenges_of_user" ON "svc_auth"."sign_in_challenges" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expire" ON "svc_auth"."sign_in_challenges" USING btree ("expires_at");
