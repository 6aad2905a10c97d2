import { currentDb, type Db, homeOf, type Infrastructure } from '@svc/core'
import type {
  AccountReader,
  CallerReader,
  KeyUse,
  LockedAccountReader,
  OwnerReader,
} from './caller/caller.ts'
import type { Service } from './capability/capability.ts'
import type { AnyContract } from './capability/contract.ts'
import type { PublicKeys, SignatureChecks } from './crypto/crypto.ts'

/**
 * What the service holds while a server runs: what all capabilities need, and what authenticates a
 * signed request.
 */
export interface Auth extends Service {
  readonly callers: CallerReader
  readonly accounts: AccountReader
  readonly lockedAccounts: LockedAccountReader
  readonly owners: OwnerReader
  /** A capability has tenants, which may ask more of their members than a role. */
  readonly hasTenants: boolean
  readonly publicKeys: PublicKeys
  readonly signatures: SignatureChecks
  /** Machine keys may sign requests by RFC 9421. */
  readonly takesMessageSignatures: boolean
  readonly keyUse: KeyUse
}

/** The part of Auth a function uses. Its signature lists its dependencies; its tests supply no others. */
export type Needs<Part extends keyof Auth> = Pick<Auth, Part>

/** What each capability of a server holds, by its name. */
type AllHeld = ReadonlyMap<string, object>

const ofServer = new WeakMap<Infrastructure, { auth: Auth; held: AllHeld }>()
const running: Running[] = []

interface Running {
  readonly server: Infrastructure
  readonly auth: Auth
}

interface Installed {
  auth: Auth
  held: AllHeld
}

/**
 * Makes this the service of a server, and of an application's functions that run without one.
 * Returns a function that undoes it.
 */
export function installAuth(server: Infrastructure, installed: Installed): () => void {
  const { auth } = installed
  ofServer.set(server, installed)
  const added = { server, auth }
  running.push(added)
  return () => {
    running.splice(running.indexOf(added), 1)
  }
}

function installedOn(server: Infrastructure) {
  const installed = ofServer.get(server)
  if (installed) return installed
  throw new Error('This server has no sign-in: add .lifecycle(createAuthLifecycle()) to it.')
}

/** The service of the server that got a request. */
export function authOf(server: Infrastructure): Auth {
  return installedOn(server).auth
}

/**
 * What a capability holds on the server that got a request. The folder of the capability knows its
 * type.
 */
export function heldOf(server: Infrastructure, { name }: Pick<AnyContract, 'name'>): object {
  const held = installedOn(server).held.get(name)
  if (held) return held
  throw new Error(
    `This server does not run the capability ${name}: give it to createAuthLifecycle({ capabilities }).`,
  )
}

/** The same by the database of the server: a job knows only its database. */
export function heldOn(db: Db, contract: Pick<AnyContract, 'name'>): object {
  return heldOf(runningOn(db).server, contract)
}

/**
 * What a capability holds on the server of this process, for functions that an application calls
 * with only an id.
 */
export function runningHeld(contract: Pick<AnyContract, 'name'>): object {
  return heldOf(requireRunning().server, contract)
}

/** The service of this process, for functions that an application calls with only a user's id. */
export function runningAuth(): Auth {
  return requireRunning().auth
}

function requireRunning() {
  const found = findRunning()
  if (found) return found
  throw new Error('No server with createAuthLifecycle() is running in this process.')
}

/** Null if no server is running. */
export function findRunningAuth(): Auth | null {
  return findRunning()?.auth ?? null
}

/**
 * The server whose request, job or transaction this is. Outside of these it is the only one that can be meant: of
 * several instances on one database, which one makes no difference.
 */
function findRunning(): Running | undefined {
  const db = currentDb()
  const here = running.findLast((each) => each.auth.db === db)
  if (here) return here
  const databases = new Set(running.map(({ server }) => server.database?.url))
  if (databases.size < 2) return running.at(-1)
  throw new Error(
    `${databases.size} applications with sign-in run in this process, and it is not clear which of them is meant. Call this in a request, a job or a transaction of its server, or in the server's within().`,
  )
}

/** The service on a database: a job knows only its database. */
export function authOn(db: Db): Auth {
  return runningOn(db).auth
}

function runningOn(db: Db) {
  const found = running.findLast(({ auth }) => auth.db === homeOf(db))
  if (found) return found
  throw new Error('No server with createAuthLifecycle() is running on this database.')
}
