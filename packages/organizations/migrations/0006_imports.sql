CREATE TABLE "organizations"."imported" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"thing" text NOT NULL,
	"user_id" uuid,
	CONSTRAINT "imported_pk" PRIMARY KEY ("organization_id", "thing")
);

--> statement-breakpoint
CREATE INDEX "imported_of_user" ON "organizations"."imported" USING btree ("user_id") WHERE "user_id" is not null;
