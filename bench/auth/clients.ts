import { randomUUID } from 'node:crypto'
import type { TestKey } from '@svc/auth/testing'
import { hash } from 'bcrypt'
import { createDevices, signer } from './device.ts'
import type { Peer } from './open-peers.ts'

/** Returns the headers of its next request. */
export type Client = () => Promise<Record<string, string>>

type Enrol = (peer: Peer, count: number) => Promise<Client[]>

async function enrolEach(count: number, one: (index: number) => Promise<Record<string, string>>) {
  const clients: Client[] = []
  for (let index = 0; index < count; index++) {
    const headers = await one(index)
    clients.push(async () => headers)
  }
  return clients
}

/** Sends a JSON body, from an address of its own, and returns the cookies. */
async function cookiesOf(url: string, index: number, body: object) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...jsonFrom(url), ...addressOf(index) },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status} ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: cookies.join('; ') }
}

/** better-auth accepts a sign-in only from a page of its own. */
export function jsonFrom(url: string) {
  return { 'content-type': 'application/json', origin: new URL(url).origin }
}

/** For servers that limit each address: no two clients share one. */
export function addressOf(index: number) {
  return { 'x-forwarded-for': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` }
}

export const password = 'correct horse battery staple 7'
export const emailOf = (index: number) => `person${index}@example.com`

export const signUp: Enrol = ({ url }, count) =>
  enrolEach(count, (index) =>
    cookiesOf(`${url}/api/auth/sign-up/email`, index, {
      email: emailOf(index),
      password,
      name: `Person ${index}`,
    }),
  )

/** The token that better-auth's JWT plugin gives to a session. It is the same for each request. */
export const signUpForToken: Enrol = async (peer, count) => {
  const sessions = await signUp(peer, count)
  return enrolEach(count, async (index) => {
    const headers = { ...(await sessions[index]?.()), ...addressOf(index) }
    const answer = await fetch(`${peer.url}/api/auth/token`, { headers })
    const { token } = (await answer.json()) as { token: string } // better-auth's own answer
    return { authorization: `Bearer ${token}` }
  })
}

export const logIn: Enrol = ({ url }, count) =>
  enrolEach(count, (index) => cookiesOf(`${url}/login`, index, { userId: `user-${index}` }))

// Svc's default for hashing passwords.
const rounds = 12

export const insertSessions: Enrol = async ({ pool }, count) => {
  const passwordHash = await hash(password, rounds)
  return enrolEach(count, async (index) => {
    const [id, userId] = [randomUUID(), `user-${index}`]
    const account = 'insert into accounts values ($1, $2, $3)'
    await pool.query(account, [userId, emailOf(index), passwordHash])
    const session = `insert into sessions values ($1, $2, now() + interval '1 day')`
    await pool.query(session, [id, userId])
    return { cookie: `session=${id}` }
  })
}

export const insertKeys: Enrol = async ({ url, pool }, count) => {
  const devices = await createDevices('ES256', count)
  for (const { registration } of devices) {
    const { keyId, publicKey, algorithm } = registration
    const text = `insert into keys values ($1, $2, $3, $4, now() + interval '90 days')`
    await pool.query(text, [keyId, randomUUID(), publicKey, algorithm])
  }
  return devices.map((device) => signer(device, url))
}

/** Accounts of Svc with a key each, written as rows: registering would need a mailed code. */
export function insertAccounts(algorithm: TestKey['algorithm']): Enrol {
  return async ({ url, pool }, count) => {
    const devices = await createDevices(algorithm, count)
    const passwordHash = await hash(password, rounds)
    for (const [index, device] of devices.entries()) {
      const userId = randomUUID()
      const { keyId, publicKey, fingerprint } = device.registration
      await pool.query(
        `insert into svc_auth.users
           (user_id, public_id, email, email_verified_at, password_hash, role, created_at)
         values ($1, $1, $2, now(), $3, 'user', now())`,
        [userId, emailOf(index), passwordHash],
      )
      await pool.query(
        `insert into svc_auth.device_keys
           (key_id, user_id, state, public_key, fingerprint, algorithm, created_at, authenticated_at, expires_at)
         values ($1, $2, 'active', $3, $4, $5, now(), now(), now() + interval '90 days')`,
        [keyId, userId, publicKey, fingerprint, algorithm],
      )
    }
    return devices.map((device) => signer(device, url))
  }
}
