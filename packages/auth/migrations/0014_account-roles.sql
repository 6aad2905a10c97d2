CREATE TABLE "svc_auth"."account_roles" (
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_roles_user_id_role_pk" PRIMARY KEY("user_id","role")
);

--> statement-breakpoint
ALTER TABLE "svc_auth"."account_roles" ADD CONSTRAINT "account_roles_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "svc_auth"."users"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "svc_auth"."account_roles" ADD CONSTRAINT "account_roles_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "svc_auth"."roles"("name") ON DELETE no action ON UPDATE cascade;
--> statement-breakpoint
CREATE INDEX "account_roles_of_role" ON "svc_auth"."account_roles" USING btree ("role","created_at","user_id");
--> statement-breakpoint
-- Whoever sets the role of an account gives it in place of all others. The release before knows of no others, and runs
-- beside this one.
CREATE FUNCTION "svc_auth"."take_other_roles"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  -- A role that is renamed, and is not there under its old name any more, takes its accounts along.
  if exists (select from svc_auth.roles where name = old.role) then
    delete from svc_auth.account_roles where user_id = new.user_id;
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "users_take_other_roles" AFTER UPDATE OF "role" ON "svc_auth"."users" FOR EACH ROW EXECUTE FUNCTION "svc_auth"."take_other_roles"();
