ALTER TABLE "svc_auth"."device_requests" ADD COLUMN "authenticated_at" timestamp (3) with time zone;
