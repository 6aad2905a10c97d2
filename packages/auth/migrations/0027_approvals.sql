CREATE TABLE "svc_auth"."approvals" (
	"approval_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"asker" text NOT NULL,
	"asker_kind" text NOT NULL,
	"asker_name" text,
	"client_id" text,
	"key_id" text,
	"operation" text NOT NULL,
	"title" text NOT NULL,
	"given" jsonb NOT NULL,
	"given_hash" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by_key_id" text,
	CONSTRAINT "approvals_state" CHECK ("svc_auth"."approvals"."state" in ('pending', 'approved', 'refused', 'spent'))
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."approvals" ADD CONSTRAINT "approvals_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_of_call" ON "svc_auth"."approvals" USING btree ("asker","operation","given_hash") WHERE "svc_auth"."approvals"."state" <> 'spent';
--> statement-breakpoint
CREATE INDEX "approvals_of_user" ON "svc_auth"."approvals" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "approvals_expire" ON "svc_auth"."approvals" USING btree ("expires_at");
