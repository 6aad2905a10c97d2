-- How often a route with a limit was called in the window that ends then, by a hash of the
-- route and of who called. It is made without a secret: a reader of this can find out an address by hashing all of them.
create table svc_core.attempts (
  id text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

create index attempts_window_ends_at on svc_core.attempts (window_ends_at);
