CREATE TABLE "svc_auth"."audit_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"act" text NOT NULL,
	"personal" text NOT NULL,
	"content" text NOT NULL,
	"previous" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "audit_seals_of_event" UNIQUE("audit_id")
);

--> statement-breakpoint
CREATE TABLE "svc_auth"."audit_statements" (
	"statement_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "svc_auth"."audit_statements_statement_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"signed" text NOT NULL
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."audit_events" ADD COLUMN IF NOT EXISTS "position" bigint;
--> statement-breakpoint
ALTER TABLE "svc_auth"."audit_events" ADD COLUMN IF NOT EXISTS "salt" text;
--> statement-breakpoint
CREATE INDEX "audit_statements_by_kind" ON "svc_auth"."audit_statements" USING btree ("kind","at");
