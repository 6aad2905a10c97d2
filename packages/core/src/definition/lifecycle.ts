import type { Clock } from '../clock/clock.ts'
import type { MigrationSource } from '../database/database.ts'
import type { Database } from '../database/server.ts'
import { EnvironmentError, type EnvironmentSource } from '../env/env.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { JobRouter } from '../jobs/jobs.ts'
import type { Credential } from '../routes/contract.ts'
import type { TableRow } from '../routes/routes.ts'
import type { StreamCredentials } from '../streams/streams.ts'
import type { AuditTrail } from './audit-trail.ts'
import { DefinitionError } from './errors.ts'
import type { TerminalDevice } from './terminal-device.ts'

/** Pages of some origins may read the answers of some paths. */
export interface CrossOriginRule {
  readonly origins: readonly string[] | 'any'
  /** Whether it is for a path, in the form of the request line. */
  readonly includes: (path: string) => boolean
}

// oxlint-disable-next-line typescript/no-invalid-void-type -- most packages open nothing
type Opened = void | (() => Promise<void>)

/**
 * What a package does when the server starts and stops. Hooks of one kind run in the order of
 * registration.
 */
export interface Lifecycle {
  readonly name: string
  /** Tables of its own, migrated before the application's. */
  readonly migrations?: MigrationSource | readonly MigrationSource[]
  /** Runs before anything connects. Throws an `EnvironmentError` to refuse to start. */
  readonly validateEnvironment?: (source: EnvironmentSource) => void
  /**
   * Checks every route that is served, before anything connects. Throws a `DefinitionError` to
   * refuse to start.
   */
  readonly validateRoutes?: (routes: readonly TableRow[]) => void
  /** Jobs of its own, which run beside the application's. */
  readonly jobs?: JobRouter
  /** Says which subject a stream belongs to, and whether it may go on. */
  readonly streamCredentials?: (server: Infrastructure) => StreamCredentials
  /** For documents: what a request may have instead of the credential of this name. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Paths of its own that pages of other origins may call, without credentials. */
  readonly crossOrigin?: CrossOriginRule | readonly CrossOriginRule[]
  /**
   * Runs when database and cache are up and migrated, before the first request. The function that
   * it returns closes what it opened: it is called after the last request, while database and cache
   * are still up.
   */
  readonly afterInfrastructure?: (
    server: Infrastructure,
    source: EnvironmentSource,
  ) => Opened | Promise<Opened>
  /** Runs when shutdown begins, while everything is still up; the last registered goes first. */
  readonly beforeShutdown?: (server: Infrastructure) => Promise<void> | void
  /** Imports people from another system, without a running server: for `svc users import`. */
  readonly importUsers?: (given: UserImport) => AsyncIterable<ImportedLine>
  /** The same for what else it can import, by its name: `svc organizations import` runs `organizations`. */
  readonly imports?: Readonly<Record<string, (given: UserImport) => AsyncIterable<ImportedLine>>>
  /** Signs everyone out without a running server, for `svc sign-out-everyone`. */
  readonly signOutEveryone?: (given: SignOut) => Promise<SignedOutEveryone>
  /** The audit trail, for `svc audit`. */
  readonly auditTrail?: AuditTrail
  /** Signs in on a terminal, for `svc login` and the commands that call operations. */
  readonly terminal?: TerminalDevice
}

/** Asks every reader of the environment, so that one start reports the problems of all of them. */
export function validateEnvironment(checks: readonly Check[]) {
  throwAll(EnvironmentError, checks)
}

/** Asks every check of the definition, so that one start reports the problems of all of them. */
export function validateDefinition(checks: readonly Check[]) {
  throwAll(DefinitionError, checks)
}

type Check = () => void

function throwAll(
  Kind: typeof EnvironmentError | typeof DefinitionError,
  checks: readonly Check[],
) {
  const problems = checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      if (error instanceof Kind) return error.problems
      throw error
    }
  })
  if (problems.length > 0) throw new Kind([...new Set(problems)])
}

/** The database in which everyone is signed out. */
export interface SignOut {
  readonly database: Database
  readonly clock: Clock
  /** Called with the number of accounts that are done. */
  readonly onProgress: (accounts: number) => void
}

/** How many there were of each kind. */
export interface SignedOutEveryone {
  readonly accounts: number
  readonly devices: number
  readonly programs: number
  readonly agents: number
  readonly links: number
  readonly invitations: number
  readonly codes: number
  readonly waitingDevices: number
  readonly signIns: number
}

/** An export of another system, and how to import it. */
export interface UserImport {
  readonly database: Database
  readonly clock: Clock
  readonly text: AsyncIterable<string>
  readonly container: 'csv' | 'jsonl' | 'json'
  /** The system that has written it, by the package's name for it. */
  readonly from: string
  /** Everything is done, and then undone. */
  readonly dryRun: boolean
  /** The other flags, by their names. */
  readonly options: Readonly<Record<string, string | true | undefined>>
}

/**
 * The result for a row of an export. A package may add more: that is for a report, not for a
 * terminal.
 */
export interface ImportedLine {
  readonly line: number
  /** What it is, if a file has several kinds: a row may give several of these lines then. */
  readonly kind?: string
  /** `left` is what the package never imports. */
  readonly outcome: 'created' | 'exists' | 'refused' | 'left'
  /** A word, such as `email_invalid`. */
  readonly reason?: string
  /** What was left out, by the name of the member or of the provider. */
  readonly left?: readonly string[]
}
