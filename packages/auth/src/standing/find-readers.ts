import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import type { CallerFacts } from '../caller/caller.ts'

/** An account that can be mailed, and what is known of it without a request. */
export interface Reader extends Pick<CallerFacts, 'hasSecondFactor'> {
  readonly userId: string
  /** The proved address. */
  readonly email: string
  /** The language of its mails. */
  readonly locale: string
  /** The ways by which its devices have signed in. */
  readonly signedInBy: readonly string[]
}

/** Those of the accounts that are active and have proved an address: for a job that mails many of them. */
export async function findReaders(
  db: Db,
  { userIds, now }: { userIds: readonly string[]; now: Date },
): Promise<Reader[]> {
  const { rows } = await db.execute<Reader & Record<string, unknown>>(sql`
    select u.user_id as "userId", u.email, u.locale, u.second_factor_since is not null as "hasSecondFactor",
      array(select distinct k.signed_in_by from svc_auth.device_keys k
        where k.user_id = u.user_id and k.kind = 'device' and k.state = 'active'
          and k.expires_at > ${now.toISOString()} and k.signed_in_by is not null) as "signedInBy"
    from svc_auth.users u
    where u.user_id = any (${sql.param([...userIds])}::uuid[]) and u.status = 'active'
      and u.email is not null and u.email_verified_at is not null`)
  return rows
}
