ALTER TABLE "svc_auth"."oauth2_tokens" ADD COLUMN "successor" text;
--> statement-breakpoint
CREATE INDEX "oauth2_tokens_with_successor" ON "svc_auth"."oauth2_tokens" USING btree ("spent_at") WHERE "svc_auth"."oauth2_tokens"."successor" is not null;
