CREATE INDEX "profiles_by_name" ON "svc_auth"."profiles" USING btree (lower("display_name") collate "C","user_id");
--> statement-breakpoint
CREATE INDEX "users_by_email" ON "svc_auth"."users" USING btree ("email" collate "C");
--> statement-breakpoint
CREATE INDEX "users_by_phone" ON "svc_auth"."users" USING btree ("phone" collate "C");
--> statement-breakpoint
CREATE INDEX "users_by_username" ON "svc_auth"."users" USING btree ("username" collate "C");
--> statement-breakpoint
CREATE INDEX "users_by_created" ON "svc_auth"."users" USING btree ("created_at","user_id");
--> statement-breakpoint
CREATE INDEX "users_by_last_login" ON "svc_auth"."users" USING btree ("last_login_at","user_id");
--> statement-breakpoint
CREATE INDEX "users_of_role" ON "svc_auth"."users" USING btree ("role","created_at","user_id");
--> statement-breakpoint
CREATE INDEX "users_of_status" ON "svc_auth"."users" USING btree ("status","created_at","user_id") WHERE "svc_auth"."users"."status" <> 'active';
