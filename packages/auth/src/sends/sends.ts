import { createHash, randomUUID } from 'node:crypto'
import { ValidationError } from '@svc/core'
import type { Identifier } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { SendContext } from '../configure-auth.ts'
import { deriveKey, equal, keyedHash } from '../crypto/crypto.ts'
import { findKnownBrowser } from '../known-browser/known-browser.ts'
import { spendOnce } from '../once/once.ts'
import { withAddress } from '../with-address.ts'
import { leadingZeros } from './client.ts'
import type { SendProofs, sendLimits } from './contract.ts'
import { ProofOfWorkRequiredError } from './errors.ts'

interface Send {
  identifier: Identifier
  purpose: SendContext['purpose']
  proofs: SendProofs
  origin: RequestOrigin
}

type SendNeeds = Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'notifier'>

/**
 * Whether a message may be sent to an address or number that a stranger may have named. It is decided before the
 * account is looked up, so that no refusal reveals one. Counted last, so that requests stopped by a captcha are not
 * counted.
 */
export async function admitSend(auth: SendNeeds, send: Send) {
  const { identifier, purpose, proofs, origin } = send
  refuseCountry(auth, identifier)
  const isKnown = (await findKnownBrowser(auth, { identifier, origin })) !== null
  if (!isKnown) await requireWork(auth, { identifier, purpose, work: proofs.work })
  await auth.configuration().beforeSend?.(contextOf(send, isKnown))
  await takeSend(auth, { identifier, purpose, address: origin.address, isKnown })
  return { isKnown }
}

/** Counts a message that an operator has asked for like one that a stranger asked for. */
export async function countSend(
  auth: Needs<'limits'>,
  { identifier, purpose, origin }: Omit<Send, 'proofs'>,
) {
  await takeSend(auth, { identifier, purpose, address: origin.address, isKnown: false })
}

/**
 * Counts the text with which a number's owner takes a change of it back. It has a count of its own: strangers, who can
 * ask for codes, must not use up what an operator needs to take a stolen number away.
 */
export async function countUndoText({ limits }: Needs<'limits'>, number: string) {
  await limits.take('undo texts in a day by target', number)
  await limits.take('texts in a day by server', everybody)
}

/** Depends only on the number. */
function refuseCountry({ notifier }: Needs<'notifier'>, { type, value }: Identifier) {
  if (type === 'email' || notifier.texts(value)) return
  const message = 'We do not send text messages to numbers of this country. Use an email address.'
  throw new ValidationError({ fields: [{ path: 'body.target', message }] })
}

function contextOf({ identifier, purpose, proofs, origin }: Send, isKnown: boolean): SendContext {
  const { type, value: target } = identifier
  const { address, userAgent } = origin
  const { proof } = proofs
  return {
    channel: type === 'email' ? 'mail' : 'sms',
    target,
    purpose,
    address,
    userAgent,
    isKnown,
    ...(proof !== undefined && { proof }),
  }
}

interface Counted {
  identifier: Identifier
  purpose: SendContext['purpose']
  address: string | null
  isKnown: boolean
}

/**
 * Counts a message for its target. Strangers share one count, and known browsers of the account share another:
 * strangers can't use up the owner's. The narrow limits come first, so that a message that they refuse does not count
 * in the wide ones.
 */
async function takeSend({ limits }: Needs<'limits'>, counted: Counted) {
  for (const [name, subject] of countsOf(counted)) await limits.take(name, subject)
}

type Count = [name: keyof typeof sendLimits, subject: string]

function countsOf({ identifier, purpose, address, isKnown }: Counted): Count[] {
  const { type, value } = identifier
  const atAddress = withAddress(value, address)
  if (isLink(purpose)) {
    if (isKnown) return [['link mails in a day by known browser', value]]
    return [
      ...requestsOf(purpose, value, atAddress),
      ['link mails in a day by target and address', atAddress],
      ['link mails in a day by target', value],
    ]
  }
  const codes: Count[] = isKnown
    ? [
        ['code send by known browser', value],
        ['codes in a day by known browser', value],
      ]
    : [
        ['code send by target and address', atAddress],
        ['codes in a day by target', value],
      ]
  return type === 'email' ? codes : [...codes, ...textsOf(value, isKnown)]
}

type LinkPurpose = 'signup_link' | 'password_reset_link' | `${string}/${string}`

function isLink(purpose: SendContext['purpose']): purpose is LinkPurpose {
  return purpose === 'signup_link' || purpose === 'password_reset_link' || purpose.includes('/')
}

/** A further capability counts its requests by limits of its own. */
function requestsOf(purpose: LinkPurpose, value: string, atAddress: string): Count[] {
  if (purpose !== 'signup_link' && purpose !== 'password_reset_link') return []
  const request = purpose === 'signup_link' ? 'signup request' : 'reset request'
  return [
    [`${request} by target and address`, atAddress],
    [`${request} by target`, value],
  ]
}

// One count for all instances.
const everybody = 'everybody'

/** Text messages cost money, so the whole server has a limit too. A fifth of it is reserved for known browsers. */
function textsOf(number: string, isKnown: boolean): Count[] {
  const own: Count[] = isKnown
    ? [
        ['texts in an hour by known browser', number],
        ['texts in a day by known browser', number],
      ]
    : [
        ['texts in an hour by target', number],
        ['texts in a day by target', number],
        ['texts in a day by strangers', everybody],
      ]
  return [...own, ['texts in a day by server', everybody]]
}

const lifeMillis = 5 * 60_000

interface Bound {
  identifier: Identifier
  purpose: string
}

interface Shown extends Bound {
  work: string | undefined
}

/**
 * Refuses a send without a proof of work, with the challenge for it. A challenge is valid for one
 * target and purpose, for some minutes, and once: its solution pays for one message.
 */
async function requireWork(auth: Needs<'db' | 'clock' | 'env'>, { work, ...bound }: Shown) {
  const { db, clock, env } = auth
  const bits = env.SVC_AUTH_SEND_WORK_BITS
  if (bits === 0) return
  const now = clock.now()
  const found = work === undefined ? null : readWork(env, { ...bound, work })
  const isGood = found !== null && found.endsAt > now && found.bits >= bits
  if (isGood && (await spendOnce(db, `work:${found.nonce}`, found.endsAt))) return
  throw new ProofOfWorkRequiredError({
    challenge: newChallenge(env, { ...bound, bits, now }),
    bits,
  })
}

function newChallenge(env: Env, { bits, now, ...bound }: Bound & { bits: number; now: Date }) {
  const endsAt = Math.ceil((now.getTime() + lifeMillis) / 1000)
  const claims = `${endsAt}.${bits}.${randomUUID()}`
  return `${claims}.${macOf(env, bound, claims)}`
}

/** The fields of a solved challenge that we have issued; null for anything else. */
function readWork(env: Env, { work, ...bound }: Bound & { work: string }) {
  const [endsAt = '', bits = '', nonce = '', mac = ''] = work.split('.')
  if (!equal(mac, macOf(env, bound, `${endsAt}.${bits}.${nonce}`))) return null
  const hash = createHash('sha256').update(work).digest()
  if (leadingZeros(hash) < Number(bits)) return null
  return { endsAt: new Date(Number(endsAt) * 1000), bits: Number(bits), nonce }
}

type Env = Needs<'env'>['env']

function macOf(env: Env, { identifier, purpose }: Bound, claims: string) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'proofs of work')
  const { type, value } = identifier
  return keyedHash(key, JSON.stringify([type, value, purpose, claims]))
}
