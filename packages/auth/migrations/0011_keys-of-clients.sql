ALTER TABLE "svc_auth"."oauth2_clients" ADD COLUMN "declared_keys" json;
