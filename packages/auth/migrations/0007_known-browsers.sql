ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "known_id" uuid;
