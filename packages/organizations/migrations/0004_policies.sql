ALTER TABLE "organizations"."organizations" ADD COLUMN "policies" jsonb;
