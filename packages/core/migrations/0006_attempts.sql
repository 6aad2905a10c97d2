-- How often a route with a limit was called in the window that ends then, by a hash of the
-- route and of who called. It has no key: an address can be found out by hashing all of them, as long as its row lives.
create table svc_core.attempts (
  id text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

create index attempts_window_ends_at on svc_core.attempts (window_ends_at);
