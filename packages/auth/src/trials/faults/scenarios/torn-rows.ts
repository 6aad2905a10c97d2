import type { Pool } from 'pg'

/** What no moment may leave, each with a statement that finds it. */
const torn: Record<string, string> = {
  'a live key of an account that may not sign in': `
    select key_id from device_keys join users using (user_id)
    where state in ('active', 'pending') and status <> 'active'`,
  'a live key of nobody': `
    select key_id from device_keys where user_id is null and state in ('active', 'pending')`,
  'a public key that is live under two accounts': `
    select fingerprint from device_keys where state = 'active'
    group by fingerprint having count(distinct user_id) > 1`,
  'an ended key that does not say why': `
    select key_id from device_keys
    where (state = 'revoked') <> (revoked_at is not null and revoked_reason is not null) and state <> 'deleted'`,
  'a key that waits for a factor without a challenge': `
    select key_id from device_keys left join sign_in_challenges using (key_id)
    where state = 'pending' and hash is null`,
  'a challenge whose key does not wait': `
    select key_id from sign_in_challenges left join device_keys using (key_id)
    where device_keys.state is distinct from 'pending'`,
  'a device that was let in without its key': `
    select user_code from device_requests left join device_keys using (key_id)
    where device_requests.state = 'spent' and device_keys.key_id is null`,
  'an approval whose key somebody has already': `
    select user_code from device_requests join device_keys using (key_id)
    where device_requests.state = 'approved' and device_keys.state = 'active'`,
  'a decision about a device by nobody': `
    select user_code from device_requests
    where state in ('approved', 'spent') and (claimed_by is null or generation is null or decided_at is null)`,
  'a decision about a device that is in no trail': `
    select user_code from device_requests
    where state in ('approved', 'denied', 'spent') and not exists (
      select from audit_events where actor = claimed_by
      and act in ('device.approved', 'device.denied') and outcome = 'done')`,
  'a decision about a call that is in no trail': `
    select approval_id from approvals
    where state <> 'pending' and not exists (
      select from audit_events where target = approval_id::text
      and act in ('approval.approved', 'approval.refused') and outcome = 'done')`,
  'two live links for one thing': `
    select subject from mailed_links where state in ('requested', 'issued', 'opened')
    group by purpose, subject having count(*) > 1`,
  'a link that is open without a secret, or has one without being open': `
    select link_id from mailed_links
    where (state = 'opened' and setup_hash is null) or (state in ('requested', 'issued') and setup_hash is not null)`,
  'a link that was spent without what it was for': `
    select link_id from mailed_links where purpose = 'signup' and state = 'spent'
    and not exists (select from users where email = subject)`,
  'an account that has come in without a profile': `
    select actor from audit_events left join profiles on user_id = actor
    where act = 'register' and outcome = 'done' and user_id is null`,
  'recovery codes that are not ten': `
    select user_id from recovery_codes group by user_id having count(*) <> 10`,
  'recovery codes without an app, or an app without them': `
    select coalesce(app.user_id, codes.user_id) from
      (select user_id from totp_secrets where confirmed_at is not null) app
      full join (select distinct user_id from recovery_codes) codes using (user_id)
    where app.user_id is null or codes.user_id is null`,
  'an account that does not know of its second factor, or of one that it has not': `
    select user_id from users where (second_factor_since is not null) <> (
      exists (select from totp_secrets where totp_secrets.user_id = users.user_id and confirmed_at is not null)
      or exists (select from passkeys where passkeys.user_id = users.user_id and second_factor))`,
  'a deletion that is pending without its time, or a time without it': `
    select user_id from users where (status = 'pending_deletion') <> (purge_at is not null)`,
  'a link or an open way in of an account that is being deleted': `
    select user_id from users join oauth_pending using (user_id) where status <> 'active'`,
  'a grant with tokens that was not redeemed': `
    select grant_id from oauth2_grants join oauth2_tokens using (grant_id) where state = 'offered'`,
  'an active grant without a refresh token': `
    select grant_id from oauth2_grants where state = 'active' and ancestors is null and issuer is null and not exists (
      select from oauth2_tokens where oauth2_tokens.grant_id = oauth2_grants.grant_id
      and kind = 'refresh' and spent_at is null)`,
  'a device code that was allowed without its grant': `
    select user_code from oauth2_device_requests left join oauth2_grants using (grant_id)
    where oauth2_device_requests.state = 'approved' and oauth2_grants.grant_id is null`,
  'a device code that was decided without a user': `
    select user_code from oauth2_device_requests
    where (state = 'pending') <> (decided_at is null) or (state <> 'pending' and claimed_by is null)`,
  'an active grant below one that has ended': `
    select below.grant_id from oauth2_grants below
    join oauth2_grants above on above.grant_id = any(below.ancestors)
    where below.state = 'active' and above.state <> 'active'`,
  'a grant that an identity provider has allowed and that is in no trail': `
    select grant_id from oauth2_grants where issuer is not null and ancestors is null and not exists (
      select from audit_events where actor = oauth2_grants.user_id
      and act = 'oauth2.asserted' and target = oauth2_grants.client_id)`,
  'two refresh tokens of one grant': `
    select grant_id from oauth2_tokens where kind = 'refresh' and spent_at is null
    group by grant_id having count(*) > 1`,
  'a revoked grant that does not say why': `
    select grant_id from oauth2_grants
    where (state = 'revoked') <> (revoked_at is not null and revoked_reason is not null)`,
  'a sign-in at an application that was redeemed and is in no trail': `
    select sign_in_id from openid_sign_ins where started_at is not null and not exists (
      select from audit_events where actor = openid_sign_ins.user_id
      and act = 'openid.signed_in' and target = openid_sign_ins.client_id)`,
  'an invitation that was accepted by nobody': `
    select invitation_id from invitations where (state = 'accepted') <> (accepted_by is not null)`,
  'an invitation that has ended without a time, or not ended with one': `
    select invitation_id from invitations where (state = 'pending') = (ended_at is not null)`,
  'a change of address that was taken back and still holds': `
    select change_id from contact_changes join users using (user_id)
    where state = 'undone' and kind = 'email' and email = new_value`,
  'a row of the trail that has a position without its seal, or a seal without its position': `
    select audit_id from audit_events left join audit_seals using (audit_id)
    where audit_events.position is distinct from audit_seals.position`,
}

/** Which of them there are: none, whenever nothing is under way. */
export async function tornRows(pool: Pool): Promise<string[]> {
  const statement = Object.entries(torn)
    .map(([what, finding]) => `select '${what}' as what where exists (${inSchema(finding)})`)
    .join('\nunion all ')
  const { rows } = await pool.query<{ what: string }>(statement)
  return rows.map(({ what }) => what)
}

const inSchema = (statement: string) =>
  statement.replaceAll(/\b(from|join)\s+(?!\()([a-z0-9_]+)/g, '$1 svc_auth.$2')
