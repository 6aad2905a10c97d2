-- What was answered to a request with an Idempotency-Key. A row is written in the transaction of what it tells of.
create table svc_core.idempotency_keys (
  id text primary key,
  fingerprint text not null,
  status smallint not null,
  headers jsonb not null,
  body text,
  expires_at timestamptz not null
);

create index idempotency_keys_expires_at on svc_core.idempotency_keys (expires_at);
