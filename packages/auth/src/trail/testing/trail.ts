import type { Database, Db, TrailFinding, TrailReport, Tx } from '@svc/core'
import { type Statement, signStatement, trailKey } from '../../audit/chain/statements.ts'
import { retainTrail, sealTrail } from '../../audit/jobs.ts'
import type { TestAuth } from '../../testing.ts'
import { auditTrail } from '../trail.ts'

interface Checked {
  heads?: string[]
  keys?: object[]
  proofs?: boolean
}

interface Options {
  secret?: string
  /** A transaction that has not committed. */
  on?: Db
}

/** What tests do with a trail: seal it, tamper with it and take that back, and check it as `svc audit verify` does. */
export function trailOf(
  auth: TestAuth,
  { secret = testSecret, on: read = auth.auth.db }: Options = {},
) {
  const { db } = auth.auth
  const { log } = auth.auth
  const given = () => ({ db, clock: auth.clock, log, signal: new AbortController().signal })
  const source = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret }

  function verify({ heads = [], keys = [], proofs = false }: Checked = {}, on: unknown = db) {
    // Of the database, a check asks for nothing else.
    const database = { db: on } as Database
    return auditTrail.verify({ database, clock: auth.clock, source, heads, keys, proofs })
  }

  /** What is found when this was done to the database, which is then taken back. */
  async function after(tamper: (tx: Tx) => Promise<unknown>, checked?: Checked) {
    let report: TrailReport | undefined
    const takenBack = new Error('This was a test.')
    await db
      .transaction(async (tx) => {
        await tamper(tx)
        report = await verify(checked, tx)
        throw takenBack
      })
      .catch((error: unknown) => {
        if (error !== takenBack) throw error
      })
    if (!report) throw new Error('Nothing was checked.')
    return report
  }

  return {
    verify,
    after,
    findingsAfter: async (tamper: (tx: Tx) => Promise<unknown>, checked?: Checked) =>
      (await after(tamper, checked)).findings.map(said),
    seal: () => auth.server.within(() => sealTrail(given())),
    retain: () => auth.server.within(() => retainTrail(given())),
    export: (filter: object = {}) =>
      auditTrail.export({ database: { db: read } as Database, ...filter }),
    /** As only the server can. */
    sign: (statement: Statement) => signStatement(statement, trailKey(secret)),
    publicKey: () => auditTrail.publicKey(source),
  }
}

const testSecret = 'a secret of the tests, long enough for any check'

/** Which row, and what is wrong with it. */
const said = ({ what, position }: TrailFinding) => [what, position]
