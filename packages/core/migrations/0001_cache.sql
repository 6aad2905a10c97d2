create schema if not exists svc_core;

-- Not logged: what lives for a minute is not worth a place in backups and on replicas. A crash empties both tables.

create unlogged table svc_core.cache_entries (
  key bytea primary key,
  value text not null,
  expires_at timestamptz not null
);

create index cache_entries_expires_at on svc_core.cache_entries (expires_at);

create unlogged table svc_core.messages (
  id bigint generated always as identity primary key,
  channel text not null,
  message text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Compressing a large message costs more than it saves in the minute that it is kept.
alter table svc_core.messages alter column message set storage external;
