ALTER TABLE "organizations"."organizations" ADD COLUMN "closed_by_operator" boolean DEFAULT false NOT NULL;

--> statement-breakpoint
CREATE INDEX "organizations_by_name" ON "organizations"."organizations" USING btree (lower("name") collate "C","organization_id");

--> statement-breakpoint
CREATE INDEX "organizations_by_slug" ON "organizations"."organizations" USING btree ("slug" collate "C");

--> statement-breakpoint
CREATE INDEX "organizations_by_age" ON "organizations"."organizations" USING btree ("created_at","organization_id");

--> statement-breakpoint
CREATE INDEX "organizations_closed" ON "organizations"."organizations" USING btree ("created_at","organization_id") WHERE "state" = 'closed';
