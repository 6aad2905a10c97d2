import { ForbiddenError, type Tx, ValidationError } from '@svc/core'
import {
  changeProfile,
  createAccount,
  normaliseEmail,
  normalisePhone,
} from '../accounts/accounts.ts'
import { AccountAlreadyExistsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { registerEvent } from '../events.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { orderPasswordReset } from '../password-reset/password-reset.ts'
import { readProfileChanges } from '../profile/profile.ts'
import { RoleNotFoundError } from '../roles/errors.ts'
import { holdRole, refuseLost } from '../roles/roles.ts'
import { countSend } from '../sends/sends.ts'
import { type By, entryOf, type PeopleHeld } from './act.ts'
import { refuseBeyond } from './refuse-beyond.ts'
import type { NewUser } from './user-details.ts'

interface Request {
  caller: FreshCaller
  body: NewUser
  origin: RequestOrigin
}

/** Opens an account. Without a password, its owner is mailed a link to set one. */
export async function createUserBy(auth: PeopleHeld, { caller, body, origin }: Request) {
  const { userId: actor } = caller
  await auth.limits.take('user change by account', actor)
  if (body.email !== undefined && body.phone !== undefined) throw oneOfBoth()
  const user = await readNewUser(auth, body, origin)
  if (user.passwordHash === null) {
    const identifier = { type: 'email' as const, value: user.email as string } // without a password there is one
    await countSend(auth, { identifier, purpose: 'password_reset_link', origin })
  }
  const by = { actor, origin, reason: reasonOf(body), now: auth.clock.now() }
  // What the application's hook does cannot be done twice.
  return auth.db.transaction(async (tx) => {
    await lockFresh(tx, caller)
    await refuseLost(tx, caller)
    return open(tx, auth, { user, by })
  })
}

/** The same from an application's own code, which may give any role. */
export async function createUserOfApplication(auth: PeopleHeld, body: NewUser) {
  const user = await readNewUser(auth, body)
  const by = { reason: reasonOf(body), now: auth.clock.now() }
  return auth.db.transaction((tx) => open(tx, auth, { user, by }))
}

const reasonOf = ({ reason }: NewUser) => displayText(reason, 500) ?? undefined

type Checked = Awaited<ReturnType<typeof readNewUser>>

async function readNewUser(auth: PeopleHeld, body: NewUser, origin?: RequestOrigin) {
  const { email: givenEmail, phone: givenPhone, password, role = 'user', reason: _, ...rest } = body
  const { locale, ...profile } = readProfileChanges(rest)
  const email = givenEmail === undefined ? null : normaliseEmail(givenEmail)
  const phone = givenPhone === undefined ? null : normalisePhone(givenPhone, 'body.phone')
  if (email === null && (password === undefined || phone === null)) throw unreachable()
  const passwordHash =
    password === undefined
      ? null
      : await auth.passwords.hash(
          await auth.checkPassword(password, email === null ? {} : { email }),
          origin,
        )
  return { email, phone, passwordHash, role, locale: locale ?? undefined, profile }
}

const unreachable = () =>
  new ValidationError({
    fields: [
      {
        path: 'body.email',
        message: 'Give an email address, or a phone number with a password.',
      },
    ],
  })

/** The owner proves one of them. The other would let in the person who has it. */
const oneOfBoth = () =>
  new ValidationError({
    fields: [
      { path: 'body.phone', message: 'Give an address or a number: the owner adds the other.' },
    ],
  })

interface Opening {
  user: Checked
  by: By
}

async function open(tx: Tx, auth: PeopleHeld, { user, by }: Opening) {
  const { email, phone, passwordHash, role, locale, profile } = user
  const { now } = by
  await holdGivenRole(tx, role, by)
  const account = await createAccount(tx, {
    email,
    phone,
    passwordHash,
    role,
    // The operator knows the password.
    passwordChangeRequired: passwordHash !== null,
    // The link is mailed there, and opens the account: the operator vouches for the address, as with an invitation.
    emailVerifiedAt: passwordHash === null ? now : null,
    ...(locale !== undefined && { locale }),
    now,
  })
  if (!account) throw new AccountAlreadyExistsError()
  const { userId, publicId } = account
  await changeProfile(tx, account, profile)
  const named = { ...(email !== null && { email }), ...(phone !== null && { phone }) }
  const emailVerified = email !== null && passwordHash === null
  await auth.parts.beforeRegister({ channel: 'operator', emailVerified, ...named }, tx)
  await recordAudit(tx, { act: 'user.created', ...entryOf(by, userId, { role }) })
  await registerEvent.emit({ userId, provider: email === null ? 'phone' : 'email', ...named })
  if (passwordHash === null && email !== null) await orderPasswordReset(tx, auth, { email, now })
  return { userId, publicId }
}

/** The role can be neither renamed nor deleted until the transaction ends. */
async function holdGivenRole(tx: Tx, name: string, { actor }: By) {
  const role = await holdRole(tx, name)
  if (!role) throw new RoleNotFoundError()
  if (!role.isActive) throw new ForbiddenError({ message: 'The role is not active.' })
  await refuseBeyond(tx, actor, role)
}
