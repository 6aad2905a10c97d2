-- Who follows channels with presence. An instance holds the rows of its connections by one lease, which it renews.
create table svc_core.presence_instances (
  id uuid primary key,
  until timestamptz not null
);

-- A subject is present while it has a row whose lease holds: the row's own, which a connection gets when it drops, or
-- else its instance's. Rows are written and deleted under an advisory lock of their channel, resource and subject.
create table svc_core.followers (
  channel text collate "C" not null,
  resource text collate "C" not null,
  subject text collate "C" not null,
  connection uuid not null,
  instance uuid not null references svc_core.presence_instances,
  until timestamptz,
  primary key (channel, resource, subject, connection)
);

create index followers_instance on svc_core.followers (instance);

create index followers_until on svc_core.followers (until) where until is not null;
