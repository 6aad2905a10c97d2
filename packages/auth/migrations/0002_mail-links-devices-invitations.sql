CREATE TABLE "svc_auth"."contact_changes" (
	"change_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"old_value" text NOT NULL,
	"new_value" text NOT NULL,
	"old_verified_at" timestamp (3) with time zone,
	"undo_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "contact_changes_undo_hash_unique" UNIQUE("undo_hash"),
	CONSTRAINT "contact_changes_kind" CHECK ("svc_auth"."contact_changes"."kind" in ('email', 'phone')),
	CONSTRAINT "contact_changes_state" CHECK ("svc_auth"."contact_changes"."state" in ('done', 'undone', 'superseded'))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."device_requests" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"state" text NOT NULL,
	"key_id" text NOT NULL,
	"public_key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"algorithm" text NOT NULL,
	"device_name" text,
	"platform" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"claimed_by" uuid,
	"generation" integer,
	"decided_at" timestamp (3) with time zone,
	"last_polled_at" timestamp (3) with time zone,
	CONSTRAINT "device_requests_user_code_unique" UNIQUE("user_code"),
	CONSTRAINT "device_requests_state" CHECK ("svc_auth"."device_requests"."state" in ('pending', 'approved', 'denied', 'refused', 'spent'))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."invitations" (
	"invitation_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text,
	"invited_by" uuid,
	"locale" text,
	"metadata" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_by" uuid,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_state" CHECK ("svc_auth"."invitations"."state" in ('pending', 'accepted', 'cancelled'))
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."mailed_links" (
	"link_id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"subject" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text,
	"setup_hash" text,
	"user_id" uuid,
	"generation" integer,
	"return_path" text,
	"locale" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "mailed_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "mailed_links_setup_hash_unique" UNIQUE("setup_hash"),
	CONSTRAINT "mailed_links_purpose" CHECK ("svc_auth"."mailed_links"."purpose" in ('signup', 'password_reset', 'revoke_all')),
	CONSTRAINT "mailed_links_state" CHECK ("svc_auth"."mailed_links"."state" in ('requested', 'issued', 'opened', 'spent', 'superseded'))
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."users" ADD COLUMN "purge_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "svc_auth"."contact_changes" ADD CONSTRAINT "contact_changes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."device_requests" ADD CONSTRAINT "device_requests_claimed_by_users_user_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."invitations" ADD CONSTRAINT "invitations_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "svc_auth"."roles"("name") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "svc_auth"."invitations" ADD CONSTRAINT "invitations_invited_by_users_user_id_fk" FOREIGN KEY ("invited_by") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."invitations" ADD CONSTRAINT "invitations_accepted_by_users_user_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."mailed_links" ADD CONSTRAINT "mailed_links_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "contact_changes_of_user" ON "svc_auth"."contact_changes" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "contact_changes_by_expiry" ON "svc_auth"."contact_changes" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "device_requests_of_user" ON "svc_auth"."device_requests" USING btree ("claimed_by") WHERE "svc_auth"."device_requests"."state" in ('pending', 'approved');
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending" ON "svc_auth"."invitations" USING btree ("email") WHERE "svc_auth"."invitations"."state" = 'pending';
--> statement-breakpoint
CREATE INDEX "invitations_by_age" ON "svc_auth"."invitations" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "mailed_links_live" ON "svc_auth"."mailed_links" USING btree ("purpose","subject") WHERE "svc_auth"."mailed_links"."state" in ('requested', 'issued', 'opened');
--> statement-breakpoint
CREATE INDEX "mailed_links_of_user" ON "svc_auth"."mailed_links" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "mailed_links_by_expiry" ON "svc_auth"."mailed_links" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "users_to_purge" ON "svc_auth"."users" USING btree ("purge_at") WHERE "svc_auth"."users"."purge_at" is not null;
