import type { TestAuth } from '@svc/auth/testing'
import { Client } from 'pg'

/** A second role of every account. */
export const roleBeside = { name: 'editor', displayName: 'Editor', priority: 40 }

/** Rows for accounts: each has a second role, a key, two entries in the trail, and a spent link. */
export async function populate({ infrastructure }: TestAuth, accounts: number) {
  // A connection of its own: a server's would time out long before a million rows are written.
  const client = new Client({ connectionString: infrastructure.database?.url })
  await client.connect()
  for (const statement of statements(accounts)) await client.query(statement)
  await client.end()
}

function statements(accounts: number) {
  const each = `from generate_series(1, ${accounts}) as n`
  const userId = `md5('user ' || n)::uuid`
  return [
    `insert into svc_auth.users
       (user_id, public_id, email, email_verified_at, password_hash, role, created_at, last_login_at, phone, username)
     select ${userId}, ${userId}, 'person' || n || '@example.com', now(), 'none', 'user',
       now() - n * interval '1 s', now() - n * interval '1 s', '+49' || (1000000000 + n), 'person' || n ${each}`,
    `insert into svc_auth.profiles (user_id, display_name)
     select ${userId}, 'Person ' || n ${each}`,
    `insert into svc_auth.account_roles (user_id, role, created_at)
     select user_id, '${roleBeside.name}', created_at from svc_auth.users`,
    `insert into svc_auth.device_keys
       (key_id, user_id, state, public_key, fingerprint, algorithm, created_at, authenticated_at, expires_at)
     select 'key-' || md5('key ' || n), ${userId}, 'active', repeat('k', 124), md5('print ' || n), 'ES256',
       now(), now(), now() + interval '90 days' ${each}`,
    `insert into svc_auth.audit_events (at, actor, act, outcome)
     select now() - n * interval '1 ms', ${userId}, act, 'done'
     ${each}, unnest(array['login', 'logout']) as act`,
    `insert into svc_auth.mailed_links
       (link_id, purpose, subject, state, token_hash, user_id, created_at, expires_at)
     select ${userId}, 'password_reset', n::text, 'spent', md5('link ' || n), ${userId}, now(),
       now() + interval '1 day' ${each}`,
    'vacuum analyze',
  ]
}
