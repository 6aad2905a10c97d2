CREATE TABLE "svc_auth"."factor_removals" (
	"removal_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"passkey_id" uuid,
	"factor_since" timestamp (3) with time zone,
	"state" text NOT NULL,
	"asked_by" uuid,
	"stop_hash" text,
	"mailed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "factor_removals_stop_hash_unique" UNIQUE("stop_hash"),
	CONSTRAINT "factor_removals_state" CHECK ("svc_auth"."factor_removals"."state" in ('waiting', 'stopped', 'done', 'void'))
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."factor_removals" ADD CONSTRAINT "factor_removals_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."factor_removals" ADD CONSTRAINT "factor_removals_asked_by_users_user_id_fk" FOREIGN KEY ("asked_by") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "factor_removals_waiting" ON "svc_auth"."factor_removals" USING btree ("user_id") WHERE "svc_auth"."factor_removals"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX "factor_removals_of_user" ON "svc_auth"."factor_removals" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "factor_removals_asked_by" ON "svc_auth"."factor_removals" USING btree ("asked_by");
--> statement-breakpoint
CREATE INDEX "factor_removals_by_time" ON "svc_auth"."factor_removals" USING btree ("due_at");
