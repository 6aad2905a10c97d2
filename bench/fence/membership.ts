import { createTestKey, type TestKey } from '@svc/auth/testing'
import { signRequest } from '@svc/core/client'
import { Client as Connection } from 'pg'
import { openPeers, type Peer } from '../auth/open-peers.ts'
import { type Sample, takeSample } from '../harness/sample.ts'
import { sources } from './notes.ts'

export interface MembershipPlan {
  rounds: number
  millis: number
  requests: number
  organizations: readonly number[]
}

/**
 * What is asked: nothing else by the account alone, the same in its own organization and in the
 * largest one, and the notes of its own, with a filter and behind the fence.
 */
const pathOf = {
  outside: () => '/me',
  inside: (own: string) => `/orgs/${own}/me`,
  crowded: (_: string, largest: string) => `/orgs/${largest}/me`,
  filtered: (own: string) => `/filtered/${own}`,
  fenced: (own: string) => `/orgs/${own}/notes`,
}

type Kind = keyof typeof pathOf
const kinds = Object.keys(pathOf) as Kind[]

export interface MembershipRow {
  organizations: number
  samples: Record<Kind, Sample[]>
}

const connections = 64

interface Client {
  key: TestKey
  organizationId: string
}

const ofNumber = (kind: string, number: number | string) => `md5('${kind} ' || ${number})::uuid`

/** Each organization has an owner and a role of its own. All users are also in the first organization. */
async function populate({ databaseUrl }: Peer, count: number) {
  // The pool's connections would time out before a million rows are written.
  const connection = new Connection({ connectionString: databaseUrl })
  await connection.connect()
  const from = `from generate_series(1, ${count}) as n`
  const crowd = `from generate_series(1, ${Math.max(connections, count / 10)}) as n`
  const role = `array['reader']`
  for (const statement of [
    `insert into svc_auth.users (user_id, public_id, email, email_verified_at, password_hash, role, created_at)
     select ${ofNumber('user', 'n')}, ${ofNumber('user', 'n')}, 'person' || n || '@example.com', now(), 'none', 'user', now() ${from}`,
    `insert into organizations.organizations (organization_id, name, slug, state, created_at)
     select ${ofNumber('organization', 'n')}, 'Organization ' || n, 'organization-' || n, 'open', now() ${from}`,
    `insert into organizations.roles (organization_id, name, display_name, permissions, created_at)
     select ${ofNumber('organization', 'n')}, 'reader', 'Reader', array['note:read'], now() ${from}`,
    `insert into organizations.members (organization_id, user_id, roles, joined_at)
     select ${ofNumber('organization', 'n')}, ${ofNumber('user', 'n')}, ${role}, now() ${from}`,
    `insert into organizations.members (organization_id, user_id, roles, joined_at)
     select ${ofNumber('organization', 1)}, ${ofNumber('user', 'n')}, ${role}, now() ${crowd} on conflict do nothing`,
    ...['open', 'fenced'].map(
      (
        table,
      ) => `insert into ${table} select ${ofNumber('organization', 'n')}, m, 'A note of some words.'
     ${from}, generate_series(1, 2) as m`,
    ),
    'analyze',
  ]) {
    await connection.query(statement)
  }
  await connection.end()
}

async function addClients({ pool }: Peer): Promise<Client[]> {
  const keys = await Promise.all(Array.from({ length: connections }, () => createTestKey('ES256')))
  const clients: Client[] = []
  for (const [index, key] of keys.entries()) {
    const { keyId, publicKey, fingerprint } = key.registration
    const { rows } = await pool.query(
      `insert into svc_auth.device_keys
         (key_id, user_id, state, public_key, fingerprint, algorithm, created_at, authenticated_at, expires_at)
       values ($1, ${ofNumber('user', '$4::int')}, 'active', $2, $3, 'ES256', now(), now(), now() + interval '90 days')
       returning ${ofNumber('organization', '$4::int')} as id`,
      [keyId, publicKey, fingerprint, index + 1],
    )
    clients.push({ key, organizationId: rows[0].id })
  }
  return clients
}

interface Asked {
  kind: Kind
  millis: number
  requests: number
}

async function sampleOf(peer: Peer, clients: Client[], plan: Asked): Promise<Sample> {
  const largest = (clients[0] as Client).organizationId
  const signed = async (client: Client) => {
    const path = pathOf[plan.kind](client.organizationId, largest)
    return {
      path,
      headers: await signRequest(client.key, { method: 'GET', url: `${peer.url}${path}` }),
    }
  }
  const signedOnes = []
  while (signedOnes.length < plan.requests) {
    signedOnes.push(...(await Promise.all(clients.map(signed))))
  }
  const sample = await takeSample(peer.running, {
    method: 'GET',
    path: '/me',
    headers: {},
    each: signedOnes.map(({ headers }) => headers),
    paths: signedOnes.map(({ path }) => path),
    connections,
    millis: plan.millis,
  })
  if (sample.failed > 0) throw new Error(`${sample.failed} failed: ${sample.firstFailure}`)
  return sample
}

export async function measureMembership(plan: MembershipPlan): Promise<MembershipRow[]> {
  const rows: MembershipRow[] = []
  for (const organizations of plan.organizations) {
    const peers = openPeers()
    try {
      const peer = await peers.open('../fence/server.ts', 1, sources)
      await populate(peer, organizations)
      const clients = await addClients(peer)
      const samples = {
        outside: [],
        inside: [],
        crowded: [],
        filtered: [],
        fenced: [],
      } as MembershipRow['samples']
      for (let round = -1; round < plan.rounds; round++) {
        for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
          const sample = await sampleOf(peer, clients, { ...plan, kind })
          if (round >= 0) samples[kind].push(sample)
        }
      }
      rows.push({ organizations, samples })
      console.error(`membership among ${organizations}`)
    } finally {
      await peers.close()
    }
  }
  return rows
}
