ALTER TABLE "svc_auth"."audit_events" ADD COLUMN "times" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "svc_auth"."audit_events" ADD COLUMN "last_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "svc_auth"."audit_events" ADD COLUMN "repeat_key" text;
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_repeat" ON "svc_auth"."audit_events" USING btree ("repeat_key") WHERE "svc_auth"."audit_events"."repeat_key" is not null;
--> statement-breakpoint
CREATE INDEX "device_requests_expire" ON "svc_auth"."device_requests" USING btree ("expires_at");
