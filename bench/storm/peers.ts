import { createTestKey } from '@svc/auth/testing'
import {
  type Client,
  emailOf,
  insertAccounts,
  insertSessions,
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

export const stormPeers: StormPeer[] = [
  {
    label: 'Svc, ES256',
    file: 'svc.ts',
    accounts: 300,
    enrol: insertAccounts('ES256'),
    async login(url, account) {
      const { registration } = await createTestKey()
      const body = JSON.stringify({ email: emailOf(account), password, ...registration })
      return { url: `${url}/_auth/login`, body }
    },
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
    // Each takes a hash to sign up, and it has no limit of an account.
    accounts: 64,
    enrol: signUp,
    login: async (url, account) => ({
      url: `${url}/api/auth/sign-in/email`,
      body: JSON.stringify({ email: emailOf(account), password }),
    }),
  },
]
