import type { Visitor } from './visitor.ts'

type At = Pick<Visitor, 'context' | 'page'>

interface Given {
  /** What it has from the start: a passkey that is synced, or a copy of one. */
  credentials?: Credential[]
  /**
   * Whether its browser offers passkeys in fields. The user picks none: it uses the first one that
   * is asked for.
   */
  autofill?: boolean
  /** Whether it verifies the user: by a finger, a face or a PIN. */
  verifies?: boolean
}

type VirtualAuthenticator = Awaited<ReturnType<typeof giveAuthenticator>>
export type Credential = Awaited<ReturnType<VirtualAuthenticator['credentials']>>[number]

// Like the one in a laptop or a phone. Its signatures are real, and it needs no touch.
const kind = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  automaticPresenceSimulation: true,
} as const

/** Gives the page of a visitor an authenticator, which is empty unless it is given credentials. */
export async function giveAuthenticator(
  { context, page }: At,
  { credentials = [], autofill = false, verifies = true }: Given = {},
) {
  if (!autofill) await page.addInitScript(offerNothing)
  if (!verifies) await page.addInitScript(discourageVerifying)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { ...kind, isUserVerified: verifies }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  for (const credential of credentials) {
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
  }
  return {
    /** What it keeps, with the private keys. */
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

function offerNothing() {
  if (!('PublicKeyCredential' in window)) return
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
}

// Chromium takes no passkey of an authenticator that can't verify the user, unless the page
// discourages the check.
function discourageVerifying() {
  if (!('credentials' in navigator)) return
  const { credentials } = navigator
  const get = credentials.get.bind(credentials)
  credentials.get = ({ publicKey, ...rest } = {}) =>
    get({
      ...rest,
      ...(publicKey && { publicKey: { ...publicKey, userVerification: 'discouraged' } }),
    })
}
