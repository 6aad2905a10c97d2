CREATE TABLE "svc_auth"."oauth2_device_requests" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"state" text NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"resource" text NOT NULL,
	"key_thumbprint" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"interval_seconds" integer NOT NULL,
	"last_polled_at" timestamp (3) with time zone,
	"claimed_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"grant_id" uuid,
	CONSTRAINT "oauth2_device_requests_user_code_unique" UNIQUE("user_code"),
	CONSTRAINT "oauth2_device_requests_state" CHECK ("svc_auth"."oauth2_device_requests"."state" in ('pending', 'approved', 'denied')),
	CONSTRAINT "oauth2_device_requests_grant" CHECK (("svc_auth"."oauth2_device_requests"."state" = 'approved') = ("svc_auth"."oauth2_device_requests"."grant_id" is not null))
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_clients" ADD COLUMN "has_device_grant" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_device_requests" ADD CONSTRAINT "oauth2_device_requests_client_id_oauth2_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "svc_auth"."oauth2_clients"("client_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."oauth2_device_requests" ADD CONSTRAINT "oauth2_device_requests_claimed_by_users_user_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "svc_auth"."users"("user_id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "oauth2_device_requests_expire" ON "svc_auth"."oauth2_device_requests" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "oauth2_device_requests_of_client" ON "svc_auth"."oauth2_device_requests" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "oauth2_device_requests_of_user" ON "svc_auth"."oauth2_device_requests" USING btree ("claimed_by");
