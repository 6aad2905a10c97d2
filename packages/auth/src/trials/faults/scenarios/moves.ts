import type { Pool } from 'pg'
import { harmlessJob } from '../../../background-jobs/testing/jobs.ts'

/** How many rows there are of each kind, in each state that an operation moves one to. */
export type Counts = Record<string, number>

const state = (...parts: string[]) =>
  parts.map((part) => `coalesce(${part}::text, '-')`).join(` || ' ' || `)

/** A table, and what tells its states apart. */
const tables: Record<string, string> = {
  users: state(
    'status',
    'role',
    'locale',
    'generation',
    'password_hash is not null',
    'username is not null',
    'phone is not null',
    'purge_at is not null',
    'second_factor_since is not null',
  ),
  profiles: state('display_name'),
  device_keys: state(
    'kind',
    'state',
    'binding',
    'revoked_reason',
    'second_factor_proved_at is not null',
  ),
  device_requests: state('state', 'claimed_by is not null'),
  // The link that is asked for is mailed in a moment, whoever is asking.
  mailed_links: state('purpose', `replace(state, 'requested', 'issued')`),
  verification_codes: state('purpose'),
  contact_changes: state('kind', 'state'),
  invitations: state('state'),
  totp_secrets: state('confirmed_at is not null'),
  recovery_codes: state('used_at is not null'),
  sign_in_challenges: state('provider'),
  oauth_pending: state('provider'),
  approvals: state('state'),
  oauth2_clients: state('source'),
  oauth2_device_requests: state('state', 'claimed_by is not null'),
  oauth2_grants: state('state', 'revoked_reason'),
  oauth2_tokens: state('kind', 'spent_at is not null'),
  openid_sign_ins: state('state'),
  openid_sessions: state('client_id'),
  one_time_tokens: `''`,
  passkeys: state('second_factor', 'label'),
  passkey_challenges: state('kind'),
  roles: state('is_active', 'cardinality(permissions)'),
  social_accounts: state('provider'),
}

const counting = [
  ...Object.entries(tables).map(
    ([table, kind]) =>
      `select '${table} ' || ${kind} as kind, count(*)::int as rows from svc_auth.${table} group by 1`,
  ),
  // Whoever is refused is noted, and nothing has moved.
  `select 'audit ' || act, count(*)::int from svc_auth.audit_events where outcome = 'done' group by 1`,
  // Requests are spent here too, whatever comes of them.
  `select 'spent tokens', count(*)::int from svc_auth.spent where id like 'verification:%'`,
  `select 'jobs ' || name, count(*)::int from svc_jobs.job where name like 'auth%' group by 1`,
  // What operators do to one. When it runs, and how that ends, is for its worker to say.
  `select 'kept job ' || retry_limit || ' ' || (state = 'cancelled'), count(*)::int
   from svc_jobs.job where name = '${harmlessJob}' group by 1`,
].join('\nunion all ')

export async function countRows(pool: Pool): Promise<Counts> {
  const { rows } = await pool.query<{ kind: string; rows: number }>(counting)
  return Object.fromEntries(rows.map((row) => [row.kind, row.rows]))
}

/** What became more or less, kind by kind: `+1 device_keys …`. Empty where nothing has moved. */
export function movesBetween(before: Counts, after: Counts) {
  const kinds = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...kinds].toSorted().flatMap((kind) => {
    const more = (after[kind] ?? 0) - (before[kind] ?? 0)
    return more === 0 ? [] : [`${more > 0 ? '+' : ''}${more} ${kind}`]
  })
}
