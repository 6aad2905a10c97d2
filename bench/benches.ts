import { findOrInstallRedis } from '../scripts/test/redis.ts'
import type { Measured, Options } from './harness/result.ts'

export interface Bench {
  about: string
  /**
   * The files and folders whose code it measures, and its own. After a change of them, its figures
   * are of older code.
   */
  measures: string[]
  /** Null if it can run here, else the reason. */
  missing?: () => string | null
  run(options: Options): Promise<Measured>
}

const inCore = (...parts: string[]) => parts.map((part) => `packages/core/src/${part}`)
const inAuth = (...parts: string[]) => parts.map((part) => `packages/auth/src/${part}`)
const inCli = (...parts: string[]) => parts.map((part) => `packages/cli/src/${part}`)
const inWeb = (...parts: string[]) => parts.map((part) => `packages/web/src/${part}`)

const requests = inCore('bodies', 'http', 'request', 'routes', 'schema', 'server')
const database = inCore('cache', 'database', 'infrastructure')
const signedRequests = [
  ...requests,
  ...database,
  ...inAuth('authenticate', 'caller', 'crypto', 'keys', 'once', 'proof'),
]
const streams = inCore('event-log', 'events', 'http', 'streams')

// Loaded when needed: a bench must not slow down the start of another one.
export const benches: Record<string, Bench> = {
  routes: {
    about: 'a validated POST and a plain GET, beside node:http, Fastify, Hono, Elysia, oRPC, tRPC',
    measures: ['bench/routes', ...requests],
    run: async (options) => (await import('./routes/bench.ts')).routes(options),
  },
  auth: {
    about: 'signed requests, beside better-auth, express-session, Fastify',
    measures: ['bench/auth', ...signedRequests],
    run: async (options) => (await import('./auth/bench.ts')).auth(options),
  },
  cores: {
    about: 'signed requests on all cores, beside better-auth under node:cluster',
    measures: ['bench/auth', ...inCore('processes'), ...signedRequests],
    run: async (options) => (await import('./auth/cores.ts')).cores(options),
  },
  storm: {
    about: 'signed requests while many people log in, beside better-auth and Fastify',
    measures: [
      'bench/storm',
      ...signedRequests,
      ...inAuth('limits', 'login', 'notices', 'passwords', 'sends', 'sign-in'),
    ],
    run: async (options) => (await import('./storm/bench.ts')).storm(options),
  },
  proxy: {
    about: 'a call through the web proxy, beside the same call directly and better-auth',
    measures: [
      'bench/proxy',
      ...signedRequests,
      ...inCore('proxy-guard', 'proxy.ts'),
      ...inWeb('auth-interceptors.ts', 'csrf', 'proxy', 'proxy-guard', 'session'),
    ],
    run: async (options) => (await import('./proxy/bench.ts')).proxy(options),
  },
  types: {
    about: 'type-check of 1,000 routes and their client, beside tRPC, oRPC, Hono hc, Elysia eden',
    measures: ['bench/types', ...inCore('call', 'errors', 'routes', 'schema')],
    run: async (options) => (await import('./types/bench.ts')).types(options),
  },
  streams: {
    about:
      'events to 10,000 connections, beside better-sse, Hono, ws, Socket.IO and writers by hand',
    measures: ['bench/streams', ...streams],
    run: async (options) => (await import('./streams/bench.ts')).streams(options),
  },
  many: {
    about: 'events between two instances, over Redis and over PostgreSQL',
    measures: ['bench/streams', ...inCore('events'), ...database],
    missing: () => (findOrInstallRedis() ? null : 'no redis-server or valkey-server here'),
    run: async (options) => (await import('./streams/many.ts')).many(options),
  },
  recovery: {
    about:
      'clients that come again to what they have missed, beside Socket.IO and a writer by hand',
    measures: ['bench/recovery', ...streams, ...database],
    run: async (options) => (await import('./recovery/bench.ts')).recovery(options),
  },
  growth: {
    about: 'each step of sign-in at 10,000 and at 1,000,000 accounts',
    measures: ['bench/growth', 'packages/auth/migrations', 'packages/auth/src', ...database],
    run: async (options) => (await import('./growth/bench.ts')).growth(options),
  },
  fence: {
    about: 'reads behind the fence of PostgreSQL, beside a filter; signed GETs in an organization',
    measures: ['bench/fence', 'packages/organizations/src', ...signedRequests],
    run: async (options) => (await import('./fence/bench.ts')).fence(options),
  },
  agents: {
    about: 'a call of a tool by an agent, beside the same signed request and the SDK alone',
    measures: [
      'bench/agents',
      'packages/mcp/src',
      ...signedRequests,
      ...inCore('tools'),
      ...inAuth('oauth2'),
    ],
    run: async (options) => (await import('./agents/bench.ts')).agents(options),
  },
  start: {
    about: 'cold start to the first answer, beside node:http, Hono, Fastify',
    measures: ['bench/start', ...requests, ...database, ...inCore('definition', 'env')],
    run: async (options) => (await import('./start/bench.ts')).start(options),
  },
  save: {
    about: 'from the save of a file to the answer of what was saved, beside node --watch',
    measures: ['bench/save', 'apps/starter/api', ...inCli('dev', 'run'), ...requests, ...database],
    run: async (options) => (await import('./save/bench.ts')).save(options),
  },
}
