ALTER TABLE "organizations"."organizations" ADD COLUMN "personal_of" uuid;
--> statement-breakpoint
ALTER TABLE "organizations"."organizations" ADD CONSTRAINT "organizations_personal_of_unique" UNIQUE ("personal_of");
