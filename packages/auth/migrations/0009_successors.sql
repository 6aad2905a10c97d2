ALTER TABLE "svc_auth"."device_keys" ADD COLUMN "successor_key_id" text;
