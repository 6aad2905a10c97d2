import { refuseKeyless } from '../../authenticate/authenticate.ts'
import { type Caller, refuseProgram, refuseSupport } from '../../caller/caller.ts'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../../caller/errors.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { lockCaller } from '../../keys/keys.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { type AgentService, redirectHost } from '../clients/clients.ts'
import type { AuthorizationFields, Consent } from '../contract.ts'
import { OAuth2Error } from '../errors.ts'
import {
  type Asked,
  answerAddress,
  consentPage,
  type Destination,
  isBrowser,
  readDestination,
  refusalOf,
  shownPage,
} from '../grants/grants.ts'
import { readHint } from '../id-tokens/id-tokens.ts'
import { hasProved, provedAt, stamped } from './reauthenticate.ts'
import { readSignIn, type SignInRequest, signInScopes, unsupportedIn } from './sign-in-request.ts'
import { insertSignIn } from './store.ts'

/** A refusal that only an application reads. */
interface Refusal {
  readonly error: string
  readonly message: string
}

const loginRequired: Refusal = {
  error: 'login_required',
  message: 'The user has to sign in, or to prove again who they are.',
}
const consentRequired: Refusal = {
  error: 'consent_required',
  message: 'The user has to allow it on the consent page.',
}

/**
 * Redirects a browser to the page that signs the user in, or back to the application with the fault. The operator has
 * named its addresses, so none of them is an attacker's.
 */
export async function passOnSignIn(
  auth: AgentService,
  { raw, fields, origin }: Asked,
): Promise<string> {
  try {
    const destination = await readDestination(auth, fields, origin.address)
    const refusal = unsupportedIn(raw) ?? refusalOf(() => readSignIn({ destination, fields }))
    if (refusal) return refusalAddress(auth, { destination, fields, refusal })
    const { prompts } = readSignIn({ destination, fields })
    // The request comes back from the page, which has found no session and may show nothing.
    if (prompts.has('none') && fields.asked_at !== undefined) {
      return refusalAddress(auth, { destination, fields, refusal: loginRequired })
    }
  } catch (error) {
    if (!(error instanceof OAuth2Error && isBrowser(raw))) throw error
    return shownPage(auth, fields)
  }
  return consentPage(auth, stamped(auth, fields))
}

interface Refused {
  readonly destination: Destination
  readonly fields: AuthorizationFields
  readonly refusal: Refusal
}

function refusalAddress(auth: AgentService, { destination, fields, refusal }: Refused) {
  const { redirectUri } = destination
  return answerAddress(auth, { redirectUri, state: fields.state }, inWords(refusal))
}

const inWords = ({ error, message }: Refusal) => ({
  error,
  ...(message && { error_description: message }),
})

/** What the page shows of an application, if it has to ask at all. */
export async function describeSignIn(
  auth: AgentService,
  { fields, origin }: Pick<Asked, 'fields' | 'origin'>,
): Promise<Consent> {
  const destination = await readDestination(auth, fields, origin.address)
  const request = readSignIn({ destination, fields })
  const { client, redirectUri, scopes } = request
  return {
    clientId: client.clientId,
    clientName: client.name,
    redirectHost: redirectHost(redirectUri),
    resource: '/_auth/oauth2/userinfo',
    scopes: scopes.map((name) => ({ name, description: signInScopes.get(name) ?? name })),
    owners: [],
    signIn: { isAllowed: isAllowed(auth, request) },
  }
}

/** With the prompt `none`, the page asks nothing either, and sends what is lacking to the application. */
function isAllowed(auth: AgentService, request: SignInRequest) {
  const { prompts } = request
  const isAsked = prompts.has('consent') || prompts.has('select_account')
  return prompts.has('none') || (isTrusted(auth, request) && !isAsked)
}

/** Any program on the device can receive what is sent there, and ask for it in the name of a client without a secret. */
function isTrusted({ openid }: AgentService, { client, redirectUri }: Destination) {
  const isKnown = client.authMethod !== 'none' || redirectUri.startsWith('https:')
  return isKnown && openid?.clients.get(client.clientId)?.isTrusted === true
}

interface Decision extends Pick<Asked, 'origin'> {
  readonly caller: Caller
  readonly fields: AuthorizationFields & { decision: 'allow' | 'deny' }
}

/** Returns where to send the browser of a user, with a code or with what is lacking. */
export async function decideSignIn(auth: AgentService, { caller, fields, origin }: Decision) {
  refuseKeyless(caller)
  refuseProgram(caller)
  refuseSupport(caller)
  await auth.limits.take('oauth2 consent by account', caller.userId)
  const destination = await readDestination(auth, fields, origin.address)
  const request = readSignIn({ destination, fields })
  const refusal = await lackingOf(auth, { caller, request, fields })
  const answer = refusal ? inWords(refusal) : { code: await offerSignIn(auth, { caller, request }) }
  const { redirectUri } = request
  return { redirectTo: answerAddress(auth, { redirectUri, state: fields.state }, answer) }
}

interface Deciding extends Pick<Decision, 'caller' | 'fields'> {
  readonly request: SignInRequest
}

const denied: Refusal = { error: 'access_denied', message: 'The user did not allow it.' }

/** Null if the user is signed in at the application. Throws if the page can ask for what is lacking. */
async function lackingOf(auth: AgentService, { caller, request, fields }: Deciding) {
  if (fields.decision === 'deny') return denied
  if (!(await isMeant(auth, { caller, fields }))) return loginRequired
  const isQuiet = request.prompts.has('none')
  if (!hasProved(auth, caller, { request, fields })) {
    if (isQuiet) return loginRequired
    throw caller.secondFactorSince
      ? new StepUpRequiredError()
      : new RecentAuthenticationRequiredError()
  }
  return isQuiet && !isTrusted(auth, request) ? consentRequired : null
}

/** Whether the application means this user: it may send an id token of the one that it knows. */
async function isMeant(
  auth: AgentService,
  { caller, fields }: Pick<Deciding, 'caller' | 'fields'>,
) {
  const { id_token_hint: token } = fields
  if (token === undefined || !auth.openid) return true
  const { issuer } = authorizationServerOf(auth)
  const hint = await readHint(auth.openid.keys, { issuer, token })
  // That of another application says nothing about a session of this one.
  return hint?.sub === caller.user.publicId && hint.aud === fields.client_id
}

// A browser takes it to the application at once.
const codeMillis = 60_000

/** A code for one sign-in of this device's user. */
async function offerSignIn(
  auth: AgentService,
  { caller, request }: Pick<Deciding, 'caller' | 'request'>,
) {
  const { userId, keyId, authenticatedAt } = caller
  const { client, redirectUri, scopes, codeChallenge, keyThumbprint, nonce } = request
  const code = newToken()
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const { generation } = await lockCaller(tx, caller)
    await insertSignIn(tx, {
      userId,
      generation,
      keyId,
      clientId: client.clientId,
      scopes,
      redirectUri,
      codeChallenge,
      keyThumbprint,
      nonce,
      codeHash: hashToken(code),
      authenticatedAt: provedAt(caller) ?? authenticatedAt ?? now,
      createdAt: now,
      expiresAt: new Date(now.getTime() + codeMillis),
    })
  })
  return code
}
