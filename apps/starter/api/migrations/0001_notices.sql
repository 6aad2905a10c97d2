CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);

--> statement-breakpoint
CREATE INDEX "notices_by_age" ON "notices" USING btree ("created_at","id");
