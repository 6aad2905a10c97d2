import {
  type AuditTrail,
  defineEnv,
  EnvironmentError,
  type EnvironmentSource,
  optional,
  type TrailCheck,
} from '@svc/core'
import {
  exportTrail,
  jwkOf,
  type PublicTrailKey,
  readTrailKey,
  trailKey,
  verifyChain,
} from '../audit/audit.ts'
import { isObject } from '../is-object.ts'
import { proofChecks } from './check-proofs.ts'

const readSecret = defineEnv({ SVC_AUTH_VERIFICATION_TOKEN_SECRET: optional })

/** What `svc audit` runs: no server is started, and of the variables only the secret of its key is read. */
export const auditTrail: AuditTrail = {
  async verify({ database, clock, proofs, ...given }) {
    const { keys, heads } = known(given)
    const now = clock.now()
    return database.db.transaction(
      async (db) => {
        const checks = proofs ? proofChecks(db) : null
        const report = await verifyChain({
          db,
          now,
          keys,
          elsewhere: heads,
          ...(checks && { alsoCheck: checks.check }),
        })
        return { ...report, ...(checks && { proofs: checks.counts }) }
      },
      // A row that is sealed or purged meanwhile would be seen half.
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
  },
  export: ({ database, ...filter }) => exportTrail(database.db, filter),
  publicKey(source) {
    const own = ownKey(source)
    if (own) return jwkOf(own)
    throw new EnvironmentError(['SVC_AUTH_VERIFICATION_TOKEN_SECRET is required'])
  },
}

function ownKey(source: EnvironmentSource) {
  const secret = readSecret(source).SVC_AUTH_VERIFICATION_TOKEN_SECRET
  return secret === undefined ? null : trailKey(secret).publicKey
}

/** A file of heads is kept where an attacker on the database cannot write: the keys that it names are as good. */
function known({ source, keys, heads }: Pick<TrailCheck, 'source' | 'keys' | 'heads'>) {
  const own = ownKey(source)
  const read = heads.map(readHead)
  const all: PublicTrailKey[] = [
    ...(own ? [own] : []),
    ...[...keys, ...read.map(({ key }) => key)].map((key) => readTrailKey({ ...key })),
  ]
  if (all.length > 0) {
    return { keys: [...byId(all).values()], heads: read.map(({ signed }) => signed) }
  }
  throw new EnvironmentError([
    'SVC_AUTH_VERIFICATION_TOKEN_SECRET is required, or the public key of the trail, or a file of heads: without one of them no signature can be checked',
  ])
}

const byId = (keys: readonly PublicTrailKey[]) => new Map(keys.map((key) => [key.keyId, key]))

function readHead(line: string, at: number) {
  const head = parse(line)
  if (isObject(head) && typeof head.signed === 'string' && isObject(head.key)) {
    return { signed: head.signed, key: head.key }
  }
  throw new Error(`Line ${at + 1} of the heads is not a head that a server wrote.`)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
