CREATE TABLE "organizations"."service_accounts" (
	"organization_id" uuid NOT NULL REFERENCES "organizations"."organizations" ("organization_id") ON DELETE cascade,
	"user_id" uuid NOT NULL,
	"roles" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "service_accounts_pk" PRIMARY KEY ("organization_id", "user_id"),
	CONSTRAINT "service_accounts_user_id_unique" UNIQUE ("user_id")
);
