import { hashToken } from '../../crypto/crypto.ts'
import type { AgentService } from '../clients/clients.ts'
import { OAuth2Error, type OAuth2ErrorCode } from '../errors.ts'
import {
  checkKey,
  checkResource,
  findGrant,
  invalidGrant,
  redeemOffer,
  type TokenRequest,
} from '../grants/grants.ts'
import { undeclared } from './authorize-device.ts'
import { type DeviceRequest, findByDeviceCode, notePoll, slowDown } from './store.ts'

/** The first tokens of a grant, for the device code of a request that its user has allowed. */
export async function redeemDeviceCode(auth: AgentService, request: TokenRequest) {
  const { client, form } = request
  if (!client.hasDeviceGrant) throw undeclared()
  const code = form.device_code
  const found = code === undefined ? null : await findByDeviceCode(auth.db, hashToken(code))
  if (found?.clientId !== client.clientId) throw invalidGrant()
  check(auth, request, found)
  const asked = found.state === 'pending' ? await decidedMeanwhile(auth, request, found) : found
  if (asked.state === 'denied') throw refused('access_denied', 'The user did not allow it.')
  // What was allowed and not redeemed in time is deleted before the request.
  const offer = asked.grantId === null ? null : await findGrant(auth.db, asked.grantId)
  if (!offer) throw expired()
  return redeemOffer(auth, { offer, request }, () => {
    if (offer.codeExpiresAt <= auth.clock.now()) throw expired()
  })
}

/** An attacker who has the device code still needs the key that the client has shown first (RFC 9449). */
function check(auth: AgentService, request: TokenRequest, asked: DeviceRequest) {
  if (asked.keyThumbprint !== null) checkKey(request, asked)
  checkResource(auth, request, asked)
}

/** Refuses a client whose user has not decided yet. Returns the request only if the user decides at this moment. */
async function decidedMeanwhile(
  auth: AgentService,
  request: TokenRequest,
  { codeHash }: DeviceRequest,
) {
  const { db, clock } = auth
  const now = clock.now()
  const keyThumbprint = request.key?.thumbprint ?? null
  if (await notePoll(db, { codeHash, keyThumbprint, now })) {
    throw refused('authorization_pending', 'The user has not decided yet. Ask again later.')
  }
  const asked = await findByDeviceCode(db, codeHash)
  if (!asked) throw invalidGrant()
  // Another request has shown a key meanwhile.
  check(auth, request, asked)
  if (asked.state !== 'pending') return asked
  if (await slowDown(db, { codeHash, now })) {
    throw refused('slow_down', 'Pause 5 seconds longer between two requests from now on.')
  }
  const last = await findByDeviceCode(db, codeHash)
  if (last?.state === 'pending') throw expired()
  if (!last) throw invalidGrant()
  return last
}

const expired = () => refused('expired_token', 'The code has expired. Request another one.')

function refused(error: OAuth2ErrorCode, message: string) {
  return new OAuth2Error({ error, message, status: 400 })
}
