import { NotFoundError, type Tx } from '@svc/core'
import { refuseKeyless } from '../../authenticate/authenticate.ts'
import type { Caller, FreshCaller, ProvableCaller, RequestOrigin } from '../../caller/caller.ts'
import { hashToken, newToken, readUserCode } from '../../crypto/crypto.ts'
import { lockFresh, requireFresh } from '../../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../../in-transaction.ts'
import { lockCaller } from '../../keys/keys.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { type AgentService, clientsById, placeOfCode } from '../clients/clients.ts'
import type { DeviceConsent } from '../device-contract.ts'
import { consenting, inWords, offerGrant, ownersFor } from '../grants/grants.ts'
import { claimPending, type DeviceRequest, decidePending } from './store.ts'

/** A code that the caller has read on the screen of a program. */
interface TypedCode<Who extends Caller> {
  caller: Who
  userCode: string
  origin: RequestOrigin
}

/** Shows what the client asks for. From then on no other user can see it. */
export async function describeDeviceRequest(
  auth: AgentService,
  typed: TypedCode<Caller>,
): Promise<DeviceConsent> {
  const { caller } = typed
  const userCode = await readCode(auth, typed)
  const { request, client } = await inTransaction(auth.db, async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const claimed = await claimPending(tx, { userCode, userId, now: auth.clock.now() })
    return withClient(tx, claimed)
  })
  return {
    clientId: client.clientId,
    clientName: client.name,
    ...(client.uri && { clientUri: client.uri }),
    resource: request.resource,
    scopes: inWords(authorizationServerOf(auth), request.scopes),
    owners: await ownersFor(auth, caller),
    userCode,
    expiresAtMillis: request.expiresAt.getTime(),
  }
}

interface Decision extends TypedCode<ProvableCaller> {
  decision: 'allow' | 'deny'
  /** The id of a tenant. The user themselves unless set. */
  owner?: string | undefined
}

const asked = { operation: 'decideOAuth2DeviceRequest', window: 'recent' } as const

/** Decides a request, once. Only allowing needs a fresh proof. */
export async function decideDeviceRequest(auth: AgentService, decision: Decision) {
  const { caller, owner, origin } = decision
  refuseKeyless(caller)
  const userCode = await readCode(auth, decision)
  if (decision.decision === 'deny') return deny(auth, { caller, userCode })
  return allow(auth, { caller: requireFresh(auth, caller, asked), userCode, owner, origin })
}

async function deny(
  { db, clock }: AgentService,
  { caller, userCode }: Pick<TypedCode<Caller>, 'caller' | 'userCode'>,
) {
  await inTransaction(db, async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const denial = { userCode, userId, grantId: null, now: clock.now() }
    if (!(await decidePending(tx, denial))) throw unknownCode()
  })
}

interface Allowed extends TypedCode<FreshCaller> {
  owner: string | undefined
}

/** The grant waits for its client, which redeems it with the device code. */
async function allow(auth: AgentService, { caller, userCode, owner, origin }: Allowed) {
  // Before the transaction, because it is read on a connection of its own.
  const user = owner === undefined ? null : await consenting(auth, caller)
  await inTransaction(auth.db, async (tx) => {
    const own = await lockFresh(tx, caller)
    const now = auth.clock.now()
    const grantId = crypto.randomUUID()
    const decided = await decidePending(tx, { userCode, userId: caller.userId, grantId, now })
    const { request, client } = await withClient(tx, decided)
    const { scopes, resource, keyThumbprint, expiresAt } = request
    await offerGrant(tx, auth, {
      caller,
      own,
      user,
      client,
      owner,
      origin,
      now,
      granted: {
        grantId,
        scopes,
        resource,
        redirectUri: placeOfCode(client),
        keyThumbprint,
        // No client has this code, so a device code can't be redeemed as the code of a redirect.
        codeHash: hashToken(newToken()),
        codeChallenge: '',
        codeExpiresAt: expiresAt,
      },
    })
  })
}

/** Counts a guess, and returns the code in its one form. */
async function readCode(auth: AgentService, { caller, userCode, origin }: TypedCode<Caller>) {
  await auth.limits.take('oauth2 device code by address', origin.address)
  await auth.limits.take('oauth2 device code by account', caller.userId)
  const code = readUserCode(userCode)
  if (code === null) throw unknownCode()
  return code
}

async function withClient(tx: Tx, request: DeviceRequest | null) {
  const client = request && (await clientsById(tx, [request.clientId])).get(request.clientId)
  if (!client) throw unknownCode()
  return { request, client }
}

/** One refusal for all: an attacker who guesses learns nothing of other users' codes. */
const unknownCode = () => new NotFoundError({ resource: 'code' })
