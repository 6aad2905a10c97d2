import {
  type Client,
  insertAccounts,
  insertKeys,
  insertSessions,
  logIn,
  signUp,
  signUpForToken,
} from './clients.ts'
import type { Peer } from './open-peers.ts'

export interface Variant {
  name: string
  label: string
  file: string
  /** Makes so many clients that the server knows. */
  enrol(peer: Peer, count: number): Promise<Client[]>
}

export const variants: Variant[] = [
  { name: 'svc', label: 'Svc, ES256', file: 'svc.ts', enrol: insertAccounts('ES256') },
  { name: 'svc-rs256', label: 'Svc, RS256', file: 'svc.ts', enrol: insertAccounts('RS256') },
  {
    name: 'limit',
    label: 'limit: node:http by hand, ES256',
    file: 'limit.ts',
    enrol: insertKeys,
  },
  {
    name: 'better-auth',
    label: 'better-auth getSession',
    file: 'better-auth.ts',
    enrol: signUp,
  },
  {
    name: 'better-auth-cache',
    label: 'better-auth, cookie cache (no database)',
    file: 'better-auth-cache.ts',
    enrol: signUp,
  },
  {
    name: 'better-auth-jwt',
    label: 'better-auth JWT plugin, jose (no database)',
    file: 'better-auth-jwt.ts',
    enrol: signUpForToken,
  },
  {
    name: 'express-session',
    label: 'express-session, connect-pg-simple',
    file: 'express-session.ts',
    enrol: logIn,
  },
  {
    name: 'fastify',
    label: 'Fastify, session row',
    file: 'fastify-session.ts',
    enrol: insertSessions,
  },
]
