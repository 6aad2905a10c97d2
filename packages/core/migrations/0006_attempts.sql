-- How often a route with a limit was called in the window that ends then, by an id that names nobody.
create table svc_core.attempts (
  id text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

create index attempts_window_ends_at on svc_core.attempts (window_ends_at);
