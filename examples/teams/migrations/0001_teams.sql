CREATE SCHEMA "teams";

--> statement-breakpoint
CREATE TABLE "teams"."teams" (
	"team_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"owner_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);

--> statement-breakpoint
CREATE TABLE "teams"."members" (
	"team_id" uuid NOT NULL REFERENCES "teams"."teams" ("team_id") ON DELETE cascade,
	"user_id" uuid NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_pk" PRIMARY KEY ("team_id", "user_id")
);

--> statement-breakpoint
CREATE INDEX "members_of_user" ON "teams"."members" USING btree ("user_id");

--> statement-breakpoint
CREATE INDEX "teams_without_owner" ON "teams"."teams" USING btree ("team_id") WHERE "owner_id" IS NULL;
