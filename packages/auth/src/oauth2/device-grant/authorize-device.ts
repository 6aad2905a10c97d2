import type { RawContext } from '@svc/core'
import { hashToken, newToken, newUserCode } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { type AgentService, authenticateClient, holdClient } from '../clients/clients.ts'
import type { DeviceAuthorization, DeviceForm } from '../device-contract.ts'
import { readDpopProof } from '../dpop/dpop.ts'
import { OAuth2Error } from '../errors.ts'
import { resourceNamed, scopesNamed } from '../grants/grants.ts'
import { openRequest } from './store.ts'

const expirySeconds = 600
const intervalSeconds = 5

interface Asking {
  raw: RawContext
  form: DeviceForm
}

/** Returns a code for a client to show, and one to poll with. Only the hash of the second is stored. */
export async function authorizeDevice(
  auth: AgentService,
  { raw, form: sent }: Asking,
): Promise<DeviceAuthorization> {
  const form = withoutEmpty(sent)
  const client = await authenticateClient(auth, raw, form)
  if (!client.hasDeviceGrant) throw undeclared()
  const keyThumbprint = await keyOf(auth, { raw, form })
  const server = authorizationServerOf(auth)
  const resource = resourceNamed({ server, ownOrigins: raw.server.ownOrigins }, form.resource)
  if (resource === null) throw new OAuth2Error({ error: 'invalid_target' })
  const scopes = scopesNamed(server, form.scope)
  const deviceCode = newToken()
  const { clientId } = client
  const asked = { clientId, scopes, resource, keyThumbprint, codeHash: hashToken(deviceCode) }
  const userCode = await open(auth, asked)
  const page = new URL(auth.env.SVC_AUTH_OAUTH2_DEVICE_PATH, auth.appUrl)
  const complete = new URL(page)
  complete.searchParams.set('code', userCode)
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page.href,
    verification_uri_complete: complete.href,
    expires_in: expirySeconds,
    interval: intervalSeconds,
  }
}

type Asked = Omit<
  Parameters<typeof openRequest>[1],
  'userCode' | 'requestedAt' | 'expiresAt' | 'intervalSeconds'
>

async function open(auth: AgentService, asked: Asked) {
  const requestedAt = auth.clock.now()
  const expiresAt = new Date(requestedAt.getTime() + expirySeconds * 1000)
  const request = { ...asked, requestedAt, expiresAt, intervalSeconds }
  return inTransaction(auth.db, async (tx) => {
    if (!(await holdClient(tx, asked.clientId))) throw forgotten()
    let userCode = newUserCode()
    while (!(await openRequest(tx, { ...request, userCode }))) userCode = newUserCode()
    return userCode
  })
}

/** A parameter without a value counts as left out (RFC 8628, section 3.1). */
const withoutEmpty = (form: DeviceForm): DeviceForm =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''))

const thumbprint = /^[\w-]{43}$/

/** The key that may redeem the code: the one whose proof is in the request, or whose thumbprint it names. */
async function keyOf(auth: AgentService, { raw, form: { dpop_jkt: named } }: Asking) {
  if (named !== undefined && !thumbprint.test(named)) {
    throw new OAuth2Error({
      error: 'invalid_request',
      message:
        'The dpop_jkt is not the SHA-256 thumbprint of a key. Send 43 characters of base64url.',
    })
  }
  const shown = (await readDpopProof(auth, raw))?.thumbprint
  if (named !== undefined && shown !== undefined && named !== shown) {
    throw new OAuth2Error({ error: 'invalid_dpop_proof' })
  }
  return named ?? shown ?? null
}

/**
 * An attacker can send their code to a victim (RFC 8628, section 5.4). They can't do it in the name of a client that
 * never shows one.
 */
export const undeclared = () =>
  new OAuth2Error({
    error: 'unauthorized_client',
    message: 'The client has not declared this grant. Add it to grant_types.',
  })

const forgotten = () =>
  new OAuth2Error({ error: 'temporarily_unavailable', message: 'Send the request again.' })
