import { setTimeout as sleep } from 'node:timers/promises'
import { createTestKey } from '@svc/auth/testing'
import {
  type Client,
  emailOf,
  insertAccounts,
  insertSessions,
  jsonFrom,
  password,
  signUp,
} from '../auth/clients.ts'
import type { Peer } from '../auth/open-peers.ts'
import type { Login } from './logins.ts'

export interface StormPeer {
  label: string
  file: string
  accounts: number
  enrol(peer: Peer, count: number): Promise<Client[]>
  /** The login of an account, from a new device. */
  login(url: string, account: number): Promise<Omit<Login, 'headers'>>
}

async function loginToSvc(url: string, account: number) {
  const { registration } = await createTestKey()
  const body = JSON.stringify({ email: emailOf(account), password, ...registration })
  return { url: `${url}/_auth/login`, body }
}

/**
 * Accounts as if they had registered. A hash from elsewhere would be replaced at the first login,
 * which costs one more hash. So one account logs in, and all get its new hash.
 */
async function registeredAccounts(peer: Peer, count: number) {
  const clients = await insertAccounts('ES256')(peer, count)
  const { url, body } = await loginToSvc(peer.url, 0)
  const login = await fetch(url, { method: 'POST', headers: jsonFrom(peer.url), body })
  if (!login.ok) throw new Error(`The login answers ${login.status} ${await login.text()}`)
  const share = `update svc_auth.users set password_hash = own.password_hash
    from svc_auth.users own where own.password_hash like 'svc1$%'`
  // The threads that hash stand behind all else that a machine does.
  const until = performance.now() + 60_000
  while ((await peer.pool.query(share)).rowCount !== count) {
    if (performance.now() > until) throw new Error('No password was hashed again.')
    await sleep(100)
  }
  return clients
}

export const stormPeers: StormPeer[] = [
  {
    label: 'Svc, ES256',
    file: 'svc.ts',
    accounts: 300,
    enrol: registeredAccounts,
    login: loginToSvc,
  },
  {
    label: 'Fastify, session row, bcrypt in libuv’s pool',
    file: 'fastify-session.ts',
    accounts: 300,
    enrol: insertSessions,
    login: async (url, account) => ({
      url: `${url}/login`,
      body: JSON.stringify({ email: emailOf(account), password }),
    }),
  },
  {
    label: 'better-auth getSession, its scrypt',
    file: 'better-auth.ts',
    // Each takes a hash to sign up, and it has no limit per account.
    accounts: 64,
    enrol: signUp,
    login: async (url, account) => ({
      url: `${url}/api/auth/sign-in/email`,
      body: JSON.stringify({ email: emailOf(account), password }),
    }),
  },
]
