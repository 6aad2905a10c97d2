CREATE TABLE "fenced" (
	"organization_id" uuid DEFAULT organizations.current_organization() NOT NULL,
	"id" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "fenced_pk" PRIMARY KEY("organization_id","id")
);
ALTER TABLE "fenced" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "fenced" FORCE ROW LEVEL SECURITY;
CREATE POLICY "in_organization" ON "fenced" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select organizations.current_organization())) WITH CHECK (organization_id = (select organizations.current_organization()));
CREATE TABLE "open" (
	"organization_id" uuid NOT NULL,
	"id" integer NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "open_pk" PRIMARY KEY("organization_id","id")
);
