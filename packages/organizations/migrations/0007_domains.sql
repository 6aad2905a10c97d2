CREATE TABLE "organizations"."domains" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"domain" text NOT NULL,
	"challenge" text NOT NULL,
	"roles" text[] NOT NULL,
	"added_by" uuid,
	"added_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"last_checked_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	CONSTRAINT "domains_pk" PRIMARY KEY ("organization_id", "domain"),
	CONSTRAINT "domains_own_nothing" CHECK (not 'owner' = any ("roles"))
);

--> statement-breakpoint
CREATE UNIQUE INDEX "domains_proved" ON "organizations"."domains" USING btree ("domain") WHERE "verified_at" is not null;

--> statement-breakpoint
CREATE INDEX "domains_to_check" ON "organizations"."domains" USING btree ("last_checked_at") WHERE "verified_at" is not null;

--> statement-breakpoint
CREATE INDEX "domains_of_member" ON "organizations"."domains" USING btree ("added_by") WHERE "added_by" is not null;

--> statement-breakpoint
CREATE TABLE "organizations"."removed_members" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"user_id" uuid NOT NULL,
	"removed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "removed_members_pk" PRIMARY KEY ("organization_id", "user_id")
);

--> statement-breakpoint
CREATE INDEX "removed_members_of_user" ON "organizations"."removed_members" USING btree ("user_id");
