import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/server.ts'
import type { EnvironmentSource } from '../env/env.ts'

/** The audit trail of a package, without a running server: for `svc audit`. */
export interface AuditTrail {
  readonly verify: (given: TrailCheck) => Promise<TrailReport>
  /** The rows, the oldest first. */
  readonly export: (given: TrailExport) => AsyncIterable<object>
  /** The public half of the key that signs the trail, as a JWK. */
  readonly publicKey: (source: EnvironmentSource) => object
}

/** What `svc audit verify` checks, and against which keys and heads. */
export interface TrailCheck {
  readonly database: Database
  readonly clock: Clock
  readonly source: EnvironmentSource
  /** Public keys of the trail, as JWKs, beside the one of the server's secret. */
  readonly keys: readonly object[]
  /** The lines of a file of heads. */
  readonly heads: readonly string[]
  /** Whether the signed requests are checked too. */
  readonly proofs: boolean
}

/** Which rows `svc audit export` writes. All of them unless it names something. */
export interface TrailExport {
  readonly database: Database
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly act?: string | undefined
  /** Inclusive. */
  readonly from?: string | undefined
  /** Exclusive. */
  readonly to?: string | undefined
}

/** Something that is not as the server has written it. */
export interface TrailFinding {
  readonly what:
    | 'edited'
    | 'removed'
    | 'moved'
    | 'inserted'
    | 'broken'
    | 'rewritten'
    | 'unsealed'
    | 'unsigned'
    | 'forged'
    | 'proof'
  readonly position?: number
  readonly auditId?: string
  readonly act?: string
  readonly at?: string
  readonly text: string
}

/** What `svc audit verify` has found. */
export interface TrailReport {
  readonly findings: readonly TrailFinding[]
  /** More than in `findings` if there are very many. */
  readonly found: number
  /** The sealed rows that exist. */
  readonly rows: number
  readonly sealed: number
  readonly unsealed: number
  /** Rows whose personal fields were deleted with their account. */
  readonly purged: number
  /** Seals whose rows were deleted by retention. */
  readonly retained: number
  /** Signed heads that were compared. */
  readonly heads: number
  /** Statements signed by a key that is not known here. */
  readonly otherKeys: number
  readonly proofs?: { readonly checked: number; readonly keyIsGone: number }
}
