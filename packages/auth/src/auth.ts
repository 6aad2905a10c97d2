import { currentDb, type Db, type Infrastructure } from '@svc/core'
import type { KeyUse } from './caller/key-use.ts'
import type { CallerReader } from './caller/read-callers.ts'
import type { AnyContract } from './capability/contract.ts'
import type { Service } from './capability/provided.ts'
import type { PublicKeys } from './crypto/public-key-cache.ts'
import type { SignatureChecks } from './crypto/signature-checks.ts'

/** What the service holds while a server runs: what capabilities stand on, and what lets a signed request in. */
export interface Auth extends Service {
  readonly callers: CallerReader
  readonly publicKeys: PublicKeys
  readonly signatures: SignatureChecks
  readonly keyUse: KeyUse
}

/** The part of Auth a function uses. Its signature lists its dependencies; its tests supply no others. */
export type Needs<Part extends keyof Auth> = Pick<Auth, Part>

/** What each capability of a server holds, by its name. */
type AllHeld = ReadonlyMap<string, object>

const ofServer = new WeakMap<Infrastructure, { auth: Auth; held: AllHeld }>()
const running: Auth[] = []
const serverOf = new WeakMap<Auth, Infrastructure>()

interface Installed {
  auth: Auth
  held: AllHeld
}

/** Makes this the service of a server, and of what an application calls without one. Answers what ends that. */
export function installAuth(server: Infrastructure, installed: Installed): () => void {
  const { auth } = installed
  ofServer.set(server, installed)
  serverOf.set(auth, server)
  running.push(auth)
  return () => {
    running.splice(running.indexOf(auth), 1)
  }
}

function installedOn(server: Infrastructure) {
  const installed = ofServer.get(server)
  if (installed) return installed
  throw new Error('This server has no sign-in: add .lifecycle(createAuthLifecycle()) to it.')
}

/** The service of the server that a request came to. */
export function authOf(server: Infrastructure): Auth {
  return installedOn(server).auth
}

/** What a capability holds on the server that a request came to. The folder of the capability knows its type. */
export function heldOf(server: Infrastructure, { name }: Pick<AnyContract, 'name'>): object {
  const held = installedOn(server).held.get(name)
  if (held) return held
  throw new Error(
    `This server does not run the capability ${name}: give it to createAuthLifecycle({ capabilities }).`,
  )
}

/** The same by the database of the server: a job is told no more than that. */
export function heldOn(db: Db, contract: Pick<AnyContract, 'name'>): object {
  return heldOf(serverOf.get(authOn(db)) as Infrastructure, contract)
}

/** What a capability holds on the server of this process, for functions that an application calls by an id alone. */
export function runningHeld(contract: Pick<AnyContract, 'name'>): object {
  return heldOf(serverOf.get(runningAuth()) as Infrastructure, contract)
}

/** The service of this process, for functions that an application calls by a user's id alone. */
export function runningAuth(): Auth {
  const auth = findRunningAuth()
  if (auth) return auth
  throw new Error('No server with createAuthLifecycle() is running in this process.')
}

/**
 * The service of the server whose request, job or transaction this is. Outside of these it is the one that started last.
 * Null where no server is running.
 */
export function findRunningAuth(): Auth | null {
  const db = currentDb()
  return running.findLast((each) => each.db === db) ?? running.at(-1) ?? null
}

/** The service on a database: a job is told no more than that. */
export function authOn(db: Db): Auth {
  const auth = running.findLast((each) => each.db === db)
  if (auth) return auth
  throw new Error('No server with createAuthLifecycle() is running on this database.')
}
