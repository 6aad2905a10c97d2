import type { Db, EnvironmentSource, HandlerContext, Infrastructure } from '@svc/core'
import { defineEnv, homeOf } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { Auth } from '../auth.ts'
import type { AuditEntry, RequestOrigin } from '../caller/caller.ts'
import type { Capability, LinkPlan } from '../capability/capability.ts'
import type { AnyContract } from '../capability/contract.ts'
import { linksOf, purposeOf } from './links.ts'
import { mailLink } from './mail-link.ts'
import type { Part } from './running-parts.ts'
import { waysAt } from './ways-at.ts'

/** A request at an operation, as its handler gets it together with what the capability holds. */
interface Request {
  caller: unknown
  origin: RequestOrigin
  c: HandlerContext
}

/**
 * A capability on a server. The type of each handler is checked where it is defined, and nowhere
 * after that.
 */
export interface RunningCapability extends Part {
  readonly capability: Capability
  /** What `open` returned. */
  readonly opened: object
  /** The functions that mail the links of rows, by the kind of the order. */
  readonly mailers: ReadonlyMap<string, (id: string) => Promise<void>>
  /** What it holds at each operation: the ways differ by the channel that events name. */
  readonly atOperation: ReadonlyMap<string, object>
  handle(operation: string, request: Request): unknown
  isThere(operation: string): boolean
  reword(error: unknown): unknown
}

const ofServer = new WeakMap<Infrastructure, ReadonlyMap<string, RunningCapability>>()
const onDatabase = new WeakMap<Db, readonly RunningCapability[]>()

/** The capability of an operation, on the server that got a request. */
export function runningCapability(
  server: Infrastructure,
  { name }: AnyContract,
): RunningCapability {
  const found = ofServer.get(server)?.get(name)
  if (found) return found
  throw new Error(
    ofServer.has(server)
      ? `This server does not run the capability ${name}: give it to createAuthLifecycle({ capabilities }).`
      : 'This server has no sign-in: add .lifecycle(createAuthLifecycle()) to it.',
  )
}

interface Given {
  readonly auth: Auth
  readonly server: Infrastructure
  readonly source: EnvironmentSource
}

/** Opens the capabilities of a server, in the order of the list. */
export function runCapabilities(list: readonly Capability[], given: Given) {
  const running = list.map((capability) => run(capability, given))
  ofServer.set(given.server, new Map(running.map((each) => [each.capability.contract.name, each])))
  onDatabase.set(given.auth.db, running)
  return running
}

/** The capabilities of the server of a database: a job knows only its database. */
export function runningOn(db: Db): readonly RunningCapability[] {
  return onDatabase.get(homeOf(db)) ?? []
}

function run(capability: Capability, { auth, server, source }: Given): RunningCapability {
  const { contract, parts } = capability
  // Capabilities don't get what authenticates requests.
  const {
    callers: _,
    accounts: __,
    lockedAccounts: ___,
    owners: ____,
    publicKeys: _____,
    signatures: ______,
    keyUse: _______,
    ...service
  } = auth
  const env = { ...service.env, ...defineEnv(parts.env ?? {})(source) }
  const opened: object = parts.open?.({ service, env, server, source }) ?? {}
  const audit = (db: Auth['db'], act: string, entry: Omit<AuditEntry, 'act'>) =>
    // An act that the capability declares: its type was checked where the capability is defined.
    recordAudit(db, { ...entry, act: act as AuditEntry['act'] })
  const plans: Readonly<Record<string, LinkPlan<never>>> = parts.links ?? {}
  const links = linksOf(auth, { capability: contract.name, plans, env })
  const held = { ...service, ...opened, env, audit, links, ways: waysAt(auth, contract.name) }
  const atOperation = new Map(
    Object.keys(contract.operations).map((name) => [name, { ...held, ways: waysAt(auth, name) }]),
  )
  return {
    capability,
    opened,
    held,
    account: parts.account ?? {},
    tells: Object.keys(parts.tells ?? {}),
    atOperation,
    linkPurposes: Object.keys(plans).map((name) => purposeOf(contract.name, name)),
    mailers: new Map([
      ...Object.entries(parts.linkMails ?? {}).map(
        ([kind, mail]) => [kind, (id: string) => mail(held, id)] as const,
      ),
      ...Object.entries(plans).map(
        ([name, plan]) =>
          [
            purposeOf(contract.name, name),
            (linkId: string) => mailLink(auth, { plan, env, linkId }),
          ] as const,
      ),
    ]),
    handle(name, request) {
      // Its type was checked where the capability is defined.
      const handler = parts.handlers[name] as (given: object) => unknown
      return handler({ auth: atOperation.get(name), ...request })
    },
    isThere: (name) => parts.isThere?.(held, name) ?? true,
    reword: (error) => parts.reword?.(error) ?? error,
  }
}
