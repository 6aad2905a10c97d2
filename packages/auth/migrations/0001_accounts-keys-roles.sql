CREATE SCHEMA "svc_auth";

--> statement-breakpoint
CREATE TABLE "svc_auth"."attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."audit_events" (
	"audit_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "svc_auth"."audit_events_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" uuid,
	"key_id" text,
	"act" text NOT NULL,
	"target" text,
	"outcome" text NOT NULL,
	"details" jsonb,
	"address" text,
	"request_id" text,
	"proof" text
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."device_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"state" text NOT NULL,
	"public_key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"algorithm" text NOT NULL,
	"device_name" text,
	"platform" text,
	"registered_ip" text,
	"registered_user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"last_address" text,
	"concurrent_use_at" timestamp (3) with time zone,
	"second_factor_proved_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"revoked_reason" text,
	CONSTRAINT "device_keys_state" CHECK ("svc_auth"."device_keys"."state" in ('pending', 'active', 'revoked', 'deleted'))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."one_time_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."permissions" (
	"name" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"category" text NOT NULL,
	"is_builtin" boolean DEFAULT false NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"display_name" text,
	"first_name" text,
	"last_name" text,
	"avatar_url" text,
	"bio" text,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"website" text,
	"location" text,
	"company" text,
	"job_title" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."role_declarations" (
	"name" text PRIMARY KEY NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."roles" (
	"role_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"display_name" text NOT NULL,
	"description" text,
	"priority" integer NOT NULL,
	"is_builtin" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "roles_name_unique" UNIQUE("name")
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."spent" (
	"id" text PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."users" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"public_id" uuid NOT NULL,
	"email" text,
	"email_verified_at" timestamp (3) with time zone,
	"phone" text,
	"phone_verified_at" timestamp (3) with time zone,
	"username" text,
	"password_hash" text,
	"password_change_required" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"role" text NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"second_factor_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	CONSTRAINT "users_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_phone_unique" UNIQUE("phone"),
	CONSTRAINT "users_username_unique" UNIQUE("username"),
	CONSTRAINT "users_status" CHECK ("svc_auth"."users"."status" in ('active', 'suspended', 'pending_deletion', 'deleted')),
	CONSTRAINT "users_username_lower" CHECK ("svc_auth"."users"."username" = lower("svc_auth"."users"."username"))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."verification_codes" (
	"target_type" text NOT NULL,
	"target" text NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "verification_codes_target_type_target_purpose_pk" PRIMARY KEY("target_type","target","purpose")
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."device_keys" ADD CONSTRAINT "device_keys_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."one_time_tokens" ADD CONSTRAINT "one_time_tokens_key_id_device_keys_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "svc_auth"."device_keys"("key_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."profiles" ADD CONSTRAINT "profiles_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."users" ADD CONSTRAINT "users_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "svc_auth"."roles"("name") ON DELETE no action ON UPDATE cascade;
--> statement-breakpoint
CREATE INDEX "attempts_window_ends_at" ON "svc_auth"."attempts" USING btree ("window_ends_at");
--> statement-breakpoint
CREATE INDEX "audit_events_by_time" ON "svc_auth"."audit_events" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "audit_events_by_actor" ON "svc_auth"."audit_events" USING btree ("actor","at");
--> statement-breakpoint
CREATE INDEX "audit_events_by_act" ON "svc_auth"."audit_events" USING btree ("act","at");
--> statement-breakpoint
CREATE INDEX "device_keys_of_user" ON "svc_auth"."device_keys" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "device_keys_by_fingerprint" ON "svc_auth"."device_keys" USING btree ("fingerprint");
--> statement-breakpoint
CREATE INDEX "spent_until" ON "svc_auth"."spent" USING btree ("until");
