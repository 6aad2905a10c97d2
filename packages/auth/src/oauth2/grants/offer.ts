import { NotFoundError, type Tx } from '@svc/core'
import type { FreshAccount } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import {
  type Caller,
  type FreshCaller,
  factsFrom,
  type RequestOrigin,
} from '../../caller/caller.ts'
import type { Connection, Consenting } from '../../capability/capability.ts'
import { findSignIn } from '../../keys/keys.ts'
import { type AgentService, holdClient, type OAuth2Client } from '../clients/clients.ts'
import { OAuth2Error } from '../errors.ts'
import { unknownClient } from './authorization-request.ts'
import { countGrants, insertOffer, mostGrants, type Offer } from './store.ts'

/** The tenants for which the user may connect an agent, instead of themselves. */
export async function ownersFor(auth: AgentService, caller: Caller) {
  const user = await consenting(auth, caller)
  return user ? auth.parts.grantees.find(auth.db, user) : []
}

/** Null for a caller without a device key, who can't consent. */
export async function consenting(auth: AgentService, { userId, keyId }: Caller) {
  if (keyId === '') return null
  const [account, key] = [await auth.accounts(userId), await findSignIn(auth.db, keyId)]
  const isOwn = key?.userId === userId
  return account && isOwn
    ? { userId, facts: factsFrom({ ...account, key }, auth.clock.now()) }
    : null
}

interface Offering {
  caller: FreshCaller
  /** The account of the caller, which is locked. */
  own: FreshAccount
  /** The caller as `consenting` has found them, if they allow it for a tenant. */
  user: Consenting | null
  client: OAuth2Client
  /** The id of a tenant. The user themselves unless set. */
  owner: string | undefined
  granted: Omit<Offer, 'clientId' | 'madeByKeyId' | 'tenant'>
  origin: RequestOrigin
  now: Date
}

/** A grant that the user has allowed, and that its client has yet to redeem. */
export async function offerGrant(tx: Tx, auth: AgentService, offering: Offering) {
  const { caller, own, user, client, owner, granted, origin, now } = offering
  const { userId, generation } = own
  const { clientId } = client
  if ((await countGrants(tx, { userId, generation, now }, 'allowed')) >= mostGrants) throw noRoom()
  const account =
    owner === undefined ? own : await takeAccount(tx, auth, { user, tenant: owner, client, origin })
  if (!(await holdClient(tx, clientId))) throw unknownClient()
  await insertOffer(tx, account, {
    ...granted,
    clientId,
    tenant: owner ?? null,
    // What belongs to a tenant stays when the device is gone.
    madeByKeyId: owner === undefined ? caller.keyId : null,
    now,
  })
  const { scopes, resource } = granted
  const details = { clientId, scopes, resource, ...(owner !== undefined && { owner }) }
  const entry = { actor: userId, target: clientId, details, origin, at: now }
  await recordAudit(tx, { act: 'oauth2.allowed', ...entry })
}

interface Taking extends Pick<Connection, 'tenant' | 'client' | 'origin'> {
  user: Consenting | null
}

/** The account of a tenant, made for this agent. */
async function takeAccount(tx: Tx, { parts }: AgentService, { user, ...connection }: Taking) {
  const taken = user ? await parts.grantees.take(tx, { ...user, ...connection }) : 'unknown'
  if (taken === 'unknown') throw new NotFoundError({ resource: 'owner' })
  if (taken === 'full') throw noRoom('It has too many service accounts. Delete some of them first.')
  return taken
}

function noRoom(message = 'You allowed too many agents. Disconnect some of them first.') {
  return new OAuth2Error({ error: 'access_denied', message })
}
