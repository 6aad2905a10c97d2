import { app } from './running-web-app.ts'
import { type Credential, giveAuthenticator } from './virtual-authenticator.ts'
import { newVisitor, signedInVisitor, type Visitor } from './visitor.ts'

export const passkeysPage = '/account/security/passkeys'

/** A user whose browser has just made a passkey for their account. */
export async function passkeyVisitor(label = 'This laptop') {
  const user = await app.api.createUser()
  const visitor = await signedInVisitor(user)
  const authenticator = await giveAuthenticator(visitor)
  await addPasskey(visitor, label)
  await visitor.see(`${label} is added.`)
  return { ...visitor, user, authenticator }
}

/** Asks for a passkey as far as a person does. */
export async function addPasskey({ open, fill, click }: Visitor, label: string) {
  await open(passkeysPage)
  await fill('Name', label)
  await click('Add a passkey')
}

/** A browser without cookies, with what was copied from an authenticator, or is synced with it. */
export async function visitorWith(
  credentials: Credential[],
  given: Omit<Parameters<typeof giveAuthenticator>[1], 'credentials'> = {},
) {
  const visitor = await newVisitor()
  await giveAuthenticator(visitor, { ...given, credentials })
  return visitor
}

export async function signInWithPasskey({ open, click }: Visitor, path = '/login') {
  await open(path)
  await click('Sign in with a passkey')
}
