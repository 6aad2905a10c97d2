CREATE SCHEMA "billing";

--> statement-breakpoint
CREATE TABLE "customers" (
	"organization_id" uuid DEFAULT organizations.current_organization() NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "customers_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);

--> statement-breakpoint
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "customers" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "invoices" (
	"organization_id" uuid DEFAULT organizations.current_organization() NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid,
	"cents" integer NOT NULL,
	CONSTRAINT "invoices_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);

--> statement-breakpoint
ALTER TABLE "invoices" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "invoices" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE TABLE "billing"."receipts" (
	"organization_id" uuid DEFAULT organizations.current_organization() NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid,
	"text" text NOT NULL,
	CONSTRAINT "receipts_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);

--> statement-breakpoint
ALTER TABLE "billing"."receipts" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "billing"."receipts" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_organization_id_customer_id_customers_organization_id_id_fk" FOREIGN KEY ("organization_id","customer_id") REFERENCES "public"."customers"("organization_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "billing"."receipts" ADD CONSTRAINT "receipts_organization_id_customer_id_customers_organization_id_id_fk" FOREIGN KEY ("organization_id","customer_id") REFERENCES "public"."customers"("organization_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "invoices_of_customer" ON "invoices" USING btree ("organization_id","customer_id");
--> statement-breakpoint
CREATE POLICY "in_organization" ON "customers" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select organizations.current_organization())) WITH CHECK (organization_id = (select organizations.current_organization()));
--> statement-breakpoint
CREATE POLICY "across_organizations" ON "customers" AS PERMISSIVE FOR ALL TO "svc_across_organizations" USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "in_organization" ON "invoices" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select organizations.current_organization())) WITH CHECK (organization_id = (select organizations.current_organization()));
--> statement-breakpoint
CREATE POLICY "across_organizations" ON "invoices" AS PERMISSIVE FOR ALL TO "svc_across_organizations" USING (true) WITH CHECK (true);
--> statement-breakpoint
CREATE POLICY "in_organization" ON "billing"."receipts" AS PERMISSIVE FOR ALL TO public USING (organization_id = (select organizations.current_organization())) WITH CHECK (organization_id = (select organizations.current_organization()));
--> statement-breakpoint
CREATE POLICY "across_organizations" ON "billing"."receipts" AS PERMISSIVE FOR ALL TO "svc_across_organizations" USING (true) WITH CHECK (true);
