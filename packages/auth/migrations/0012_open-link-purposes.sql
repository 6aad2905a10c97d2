ALTER TABLE "svc_auth"."mailed_links" DROP CONSTRAINT "mailed_links_purpose";
