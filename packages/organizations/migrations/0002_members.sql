CREATE SCHEMA IF NOT EXISTS "organizations";

--> statement-breakpoint
CREATE TABLE "organizations"."organizations" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"purge_at" timestamp (3) with time zone,
	CONSTRAINT "organizations_slug_unique" UNIQUE ("slug"),
	CONSTRAINT "organizations_state" CHECK ("state" in ('open', 'closed'))
);

--> statement-breakpoint
CREATE INDEX "organizations_to_purge" ON "organizations"."organizations" USING btree ("purge_at") WHERE "state" = 'closed';

--> statement-breakpoint
CREATE TABLE "organizations"."members" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"user_id" uuid NOT NULL,
	"roles" text[] NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_pk" PRIMARY KEY ("organization_id", "user_id")
);

--> statement-breakpoint
CREATE INDEX "members_of_user" ON "organizations"."members" USING btree ("user_id");

--> statement-breakpoint
CREATE INDEX "members_by_age" ON "organizations"."members" USING btree ("organization_id", "joined_at", "user_id");

--> statement-breakpoint
CREATE INDEX "members_owners" ON "organizations"."members" USING btree ("organization_id") WHERE 'owner' = any ("roles");

--> statement-breakpoint
CREATE TABLE "organizations"."roles" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"name" text NOT NULL,
	"display_name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "roles_pk" PRIMARY KEY ("organization_id", "name")
);

--> statement-breakpoint
CREATE TABLE "organizations"."invitations" (
	"invitation_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"email" text NOT NULL,
	"roles" text[] NOT NULL,
	"state" text NOT NULL,
	"token_hash" text,
	"invited_by" uuid,
	"accepted_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE ("token_hash"),
	CONSTRAINT "invitations_state" CHECK ("state" in ('pending', 'accepted', 'cancelled'))
);

--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending" ON "organizations"."invitations" USING btree ("organization_id", "email") WHERE "state" = 'pending';

--> statement-breakpoint
CREATE INDEX "invitations_by_age" ON "organizations"."invitations" USING btree ("organization_id", "created_at");

--> statement-breakpoint
CREATE INDEX "invitations_of_email" ON "organizations"."invitations" USING btree ("email");

--> statement-breakpoint
CREATE INDEX "invitations_of_inviter" ON "organizations"."invitations" USING btree ("invited_by");

--> statement-breakpoint
CREATE INDEX "invitations_of_member" ON "organizations"."invitations" USING btree ("accepted_by");
