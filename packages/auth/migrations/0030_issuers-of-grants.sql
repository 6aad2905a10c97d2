ALTER TABLE "svc_auth"."oauth2_grants" ADD COLUMN "issuer" text;
