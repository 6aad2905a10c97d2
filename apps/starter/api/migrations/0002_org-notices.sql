CREATE TABLE "org_notices" (
	"organization_id" uuid DEFAULT organizations.current_organization() NOT NULL,
	"id" uuid NOT NULL,
	"text" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "org_notices_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);

--> statement-breakpoint
ALTER TABLE "org_notices" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "org_notices" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE INDEX "org_notices_by_age" ON "org_notices" USING btree ("organization_id","created_at","id");
--> statement-breakpoint
CREATE POLICY "in_organization" ON "org_notices" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select organizations.current_organization())) WITH CHECK (organization_id = (select organizations.current_organization()));
--> statement-breakpoint
CREATE POLICY "across_organizations" ON "org_notices" AS PERMISSIVE FOR ALL TO "svc_across_organizations" USING (true) WITH CHECK (true);
