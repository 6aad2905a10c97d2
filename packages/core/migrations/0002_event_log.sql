-- What routers with a history emit. Rows are written once, in the transaction of the emission. They are logged: a
-- crash or a standby that takes over loses none.

-- One row for each router: where its log has got to. `place` tells this database from its copies and its past.
create table svc_core.event_logs (
  router smallint primary key check (router in (0, 1)),
  epoch text not null,
  place text not null,
  head bigint not null default 0,
  floor bigint not null default 0,
  snapshot pg_snapshot not null,
  slot smallint not null,
  slot_began timestamptz not null default clock_timestamp(),
  slot_rows bigint not null default 0,
  next_try timestamptz not null default clock_timestamp()
);

-- Eight slots for each router, emptied in turn.
create table svc_core.event_rows (
  slot smallint not null,
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  event text not null,
  payload text not null,
  trace text,
  created_at timestamptz not null default clock_timestamp()
) partition by list (slot);

create index event_rows_xid on svc_core.event_rows (xid);

do $$
begin
  for slot in 0..15 loop
    execute format(
      'create table svc_core.event_rows_%s partition of svc_core.event_rows for values in (%s)', slot, slot);
    execute format(
      'alter table svc_core.event_rows_%s alter column payload set storage external', slot);
  end loop;
end
$$;

-- When a slot's turn was over: rows that were under way then belong to later ticks.
create table svc_core.event_slots (
  slot smallint primary key,
  head bigint not null,
  snapshot pg_snapshot not null
);

-- A tick gives positions to the rows that were committed since the one before it.
create table svc_core.event_ticks (
  router smallint not null,
  first bigint not null,
  last bigint not null,
  xid_from xid8 not null,
  xid_to xid8 not null,
  caught xid8[] not null,
  snapshot pg_snapshot not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (router, last)
);

-- The database, its timeline, which changes when a standby takes over or a backup is restored, and the file of the table,
-- which changes when a dump is restored. Some services do not tell their timeline.
create function svc_core.event_log_place() returns text language plpgsql as $$
declare
  timeline text := '';
begin
  begin
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when others then
    null;
  end;
  return concat_ws('-', (select oid from pg_database where datname = current_database()), timeline,
    'svc_core.event_logs'::regclass::oid, pg_relation_filenode('svc_core.event_logs'));
end
$$;

-- Called on each connection that reads or ticks, before it does.
create function svc_core.open_event_log(of_router smallint) returns void language plpgsql as $$
declare
  log svc_core.event_logs;
  here constant text := svc_core.event_log_place();
  fresh constant text := left(replace(gen_random_uuid()::text, '-', ''), 12);
begin
  insert into svc_core.event_logs (router, epoch, place, snapshot, slot)
    values (of_router, fresh, here, pg_current_snapshot(), of_router * 8)
    on conflict do nothing;
  select * into log from svc_core.event_logs where router = of_router for update;
  if log.place = here then
    return;
  end if;
  -- A copy, or a standby that took over and may have lost the newest rows: nobody can resume across that.
  update svc_core.event_logs set epoch = fresh, place = here, floor = head where router = of_router;
  -- In another cluster, transaction ids may begin again.
  if pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(log.snapshot) then
    delete from svc_core.event_rows where slot / 8 = of_router;
    delete from svc_core.event_ticks where router = of_router;
    delete from svc_core.event_slots where slot / 8 = of_router;
    update svc_core.event_logs set snapshot = pg_current_snapshot() where router = of_router;
  end if;
end
$$;

-- Rows of the slot that is next in turn are dropped when they are not to be kept any more. Not for long: whoever reads
-- a whole table, such as a backup, keeps its lock.
create function svc_core.turn_event_slot(log svc_core.event_logs, keep_rows bigint, keep interval)
returns boolean language plpgsql as $$
declare
  next constant smallint := log.router * 8 + (log.slot + 1) % 8;
  ended svc_core.event_slots;
  late xid8[];
  slot_end bigint;
  slot_ended_at timestamptz;
begin
  perform set_config('lock_timeout', '50ms', true);
  execute format('lock table svc_core.event_rows_%s in access exclusive mode', next);
  select * into ended from svc_core.event_slots where slot = next;
  if found then
    late := array(
      select distinct xid from svc_core.event_rows
      where slot = next
        and (xid >= pg_snapshot_xmax(ended.snapshot) or xid in (select pg_snapshot_xip(ended.snapshot))));
    -- A row without a position.
    if exists (select from unnest(late) xid where not pg_visible_in_snapshot(xid, log.snapshot)) then
      return false;
    end if;
    select greatest(ended.head, max(tick.last)) into slot_end
    from unnest(late) xid cross join lateral (
      select last from svc_core.event_ticks
      where router = log.router and last > ended.head and pg_visible_in_snapshot(xid, snapshot)
      order by last limit 1) tick;
    slot_end := coalesce(slot_end, ended.head);
    select created_at into slot_ended_at from svc_core.event_ticks
      where router = log.router and last >= slot_end order by last limit 1;
    if slot_end > log.head - keep_rows and slot_ended_at > clock_timestamp() - keep then
      return false;
    end if;
    execute format('truncate svc_core.event_rows_%s', next);
  end if;
  insert into svc_core.event_slots (slot, head, snapshot) values (log.slot, log.head, log.snapshot)
    on conflict (slot) do update set head = excluded.head, snapshot = excluded.snapshot;
  delete from svc_core.event_slots where slot = next;
  update svc_core.event_logs
    set slot = next, slot_began = clock_timestamp(), slot_rows = 0, floor = greatest(floor, slot_end)
    where router = log.router;
  return true;
exception when lock_not_available then
  return false;
end
$$;

-- Gives positions to what was committed since the last tick, and answers the newest position. A row is found by its
-- transaction: a number that a row got at its insert says nothing of when it was committed.
create function svc_core.tick_events(of_router smallint, keep_rows bigint, keep interval)
returns bigint language plpgsql as $$
declare
  low constant smallint := of_router * 8;
  log svc_core.event_logs;
  locked svc_core.event_logs;
  present pg_snapshot;
  fresh bigint;
  caught_up xid8[];
begin
  select * into log from svc_core.event_logs where router = of_router;
  loop
    present := pg_current_snapshot();
    -- What was under way at the last tick; then what of it is caught up with.
    caught_up := array(select pg_snapshot_xip(log.snapshot));
    select count(*), coalesce(array_agg(distinct xid) filter (where xid = any (caught_up)), '{}')
    into fresh, caught_up
    from (
      select xid from svc_core.event_rows
      where slot >= low and slot < low + 8 and xid >= pg_snapshot_xmax(log.snapshot)
      union all
      select xid from svc_core.event_rows
      where slot >= low and slot < low + 8 and xid = any (caught_up)
    ) of_log
    where pg_visible_in_snapshot(xid, present);
    -- Most calls find nothing. Those lock nothing.
    if fresh = 0 then
      return log.head;
    end if;
    select * into locked from svc_core.event_logs where router = of_router for update;
    -- Unless another instance was quicker, which none can be from here on.
    exit when locked.head = log.head and locked.epoch = log.epoch;
    log := locked;
  end loop;
  log := locked;
  insert into svc_core.event_ticks (router, first, last, xid_from, xid_to, caught, snapshot)
    values (of_router, log.head + 1, log.head + fresh, pg_snapshot_xmax(log.snapshot), pg_snapshot_xmax(present),
      caught_up, present);
  update svc_core.event_logs
    set head = log.head + fresh, snapshot = present, slot_rows = log.slot_rows + fresh
    where router = of_router
    returning * into log;
  if log.next_try < clock_timestamp()
    and (log.slot_rows > keep_rows / 4 or log.slot_began < clock_timestamp() - keep / 4)
    and not svc_core.turn_event_slot(log, keep_rows, keep)
  then
    update svc_core.event_logs set next_try = clock_timestamp() + interval '1 second' where router = of_router;
  end if;
  if exists (select from svc_core.event_ticks where router = of_router and last <= log.floor) then
    delete from svc_core.event_ticks where router = of_router and last in (
      select last from svc_core.event_ticks where router = of_router and last <= log.floor order by last limit 100);
  end if;
  perform pg_notify('svc_events', of_router || ':' || log.head);
  return log.head;
end
$$;
