CREATE TABLE "organizations"."teams" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"team_id" uuid NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "teams_pk" PRIMARY KEY ("organization_id", "team_id"),
	CONSTRAINT "teams_own_nothing" CHECK (not 'owner' = any ("roles"))
);

--> statement-breakpoint
CREATE TABLE "organizations"."team_members" (
	"organization_id" uuid NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"roles" text[] NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_members_pk" PRIMARY KEY ("organization_id", "team_id", "user_id"),
	CONSTRAINT "team_members_team" FOREIGN KEY ("organization_id", "team_id") REFERENCES "organizations"."teams" ("organization_id", "team_id") ON DELETE cascade,
	CONSTRAINT "team_members_member" FOREIGN KEY ("organization_id", "user_id") REFERENCES "organizations"."members" ("organization_id", "user_id") ON DELETE cascade,
	CONSTRAINT "team_members_own_nothing" CHECK (not 'owner' = any ("roles"))
);

--> statement-breakpoint
CREATE INDEX "team_members_of_member" ON "organizations"."team_members" USING btree ("organization_id", "user_id");

--> statement-breakpoint
CREATE INDEX "team_members_by_age" ON "organizations"."team_members" USING btree ("organization_id", "team_id", "joined_at", "user_id");
