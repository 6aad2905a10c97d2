-- The numbers of an unlogged table's rows are not logged either, since PostgreSQL 15: a standby that takes over in its
-- first minutes then has a broken sequence. The table stays as it is.
do $$
begin
  if current_setting('server_version_num')::int >= 150000 then
    alter sequence svc_core.messages_id_seq set logged;
  end if;
end
$$;
