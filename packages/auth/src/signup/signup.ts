import { findLocaleAt, normaliseEmail } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { hashToken } from '../crypto/crypto.ts'
import { checkNewKey } from '../keys/keys.ts'
import { knownBrowserOf } from '../known-browser/known-browser.ts'
import type { LinkRequest } from '../links/contract.ts'
import {
  dropLink,
  findOpened,
  findWanted,
  issueLink,
  mintLink,
  openSetup,
  orderLink,
  readReturnPath,
  spendOpened,
} from '../links/links.ts'
import { openAccountWithKey } from '../register/register.ts'
import { admitSend } from '../sends/sends.ts'
import type { SignupEnv } from './env.ts'
import { InvalidSignupLinkError, InvalidSignupSetupSessionError } from './errors.ts'

/** The work and the response are the same for every address. */
export async function requestSignupLink(
  auth: Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'linkMail' | 'notifier'> & {
    env: SignupEnv
  },
  body: LinkRequest,
  { origin, locale }: { origin: RequestOrigin; locale: string },
) {
  const { env } = auth
  const subject = normaliseEmail(body.email)
  const returnPath = readReturnPath(body.returnPath)
  const identifier = { type: 'email' as const, value: subject }
  await admitSend(auth, { identifier, purpose: 'signup_link', proofs: body, origin })
  const ttlMinutes = env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES
  return orderLink(auth, { purpose: 'signup', subject, returnPath, locale, ttlMinutes })
}

type MailNeeds = Needs<'db' | 'clock' | 'notifier' | 'appUrl'> & { env: SignupEnv }

/**
 * Mails the link. If the address has an account, mails that instead: to its owner, in the owner's
 * language.
 */
export async function mailSignupLink(auth: MailNeeds, linkId: string) {
  const { db, clock, env, notifier, appUrl } = auth
  const now = clock.now()
  const link = await findWanted(db, linkId, now)
  if (!link) return
  const to = { channel: 'mail' as const, to: link.subject, locale: link.locale ?? undefined }
  const locale = await findLocaleAt(db, { type: 'email', value: link.subject })
  if (locale !== undefined) {
    const { href: signIn } = new URL(env.SVC_AUTH_SIGN_IN_PATH, appUrl)
    await notifier.send({ ...to, locale, template: 'account-exists', facts: { url: signIn } })
    return dropLink(db, linkId, now)
  }
  const { url, tokenHash } = mintLink(auth, env.SVC_AUTH_SIGNUP_CONFIRM_PATH)
  if (!(await issueLink(db, linkId, { tokenHash, now }))) return
  const expiresInMinutes = env.SVC_AUTH_SIGNUP_LINK_TTL_MINUTES
  await notifier.send({ ...to, template: 'signup-link', facts: { url, expiresInMinutes } })
}

export async function confirmSignupLink(
  auth: Needs<'db' | 'clock'> & { env: SignupEnv },
  token: string,
) {
  const ttlMinutes = auth.env.SVC_AUTH_SIGNUP_SETUP_TTL_MINUTES
  const opened = await openSetup(auth, { purpose: 'signup', token, ttlMinutes })
  if (!opened) throw new InvalidSignupLinkError()
  return opened
}

interface SetupBody extends NewDeviceKey {
  setupSecret: string
  password: string
}

type SignupNeeds = Needs<'db' | 'clock' | 'env' | 'passwords' | 'checkPassword' | 'parts'>

/**
 * Opens the account whose address the link has proved. If the password is too weak, the session
 * stays as it was.
 */
export async function completeSignup(auth: SignupNeeds, body: SetupBody, origin: RequestOrigin) {
  const { db, clock, passwords } = auth
  const key = checkNewKey(body)
  const presented = { purpose: 'signup' as const, hash: hashToken(body.setupSecret) }
  // A caller without a session must not make this server hash.
  const session = await findOpened(db, { ...presented, now: clock.now() })
  if (!session) throw new InvalidSignupSetupSessionError()
  const { subject: email, locale } = session
  const password = await auth.checkPassword(body.password, { email })
  const passwordHash = await passwords.hash(password, origin)
  const now = clock.now()
  return db.transaction(async (tx) => {
    if (!(await spendOpened(tx, { ...presented, now }))) throw new InvalidSignupSetupSessionError()
    const { userId, publicId, knownId } = await openAccountWithKey(tx, auth, {
      identifier: { type: 'email', value: email },
      channel: 'link',
      operation: 'completeSignup',
      role: 'user',
      passwordHash,
      key,
      locale: locale ?? 'en',
      origin,
      now,
    })
    return { userId, publicId, email, ...knownBrowserOf(auth, { userId, knownId, now }) }
  })
}
