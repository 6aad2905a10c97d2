CREATE SCHEMA "magic_link";

--> statement-breakpoint
CREATE TABLE "magic_link"."sign_ins" (
	"sign_in_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"address" text
);

--> statement-breakpoint
CREATE INDEX "sign_ins_of_user" ON "magic_link"."sign_ins" USING btree ("user_id");

--> statement-breakpoint
CREATE INDEX "sign_ins_by_time" ON "magic_link"."sign_ins" USING btree ("at");
