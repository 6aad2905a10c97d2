import { parseArgs } from 'node:util'
import { findOrInstallRedis } from '../scripts/test/redis.ts'
import { type Options, print, type Result, save } from './harness/result.ts'

interface Bench {
  about: string
  /** Null where it can run here, else why not. */
  missing?: () => string | null
  run(options: Options): Promise<Result>
}

// Loaded when asked for: a bench must not cost the start of another.
const benches: Record<string, Bench> = {
  routes: {
    about: 'a validated POST and a plain GET, beside node:http, Fastify, Hono, Elysia, oRPC, tRPC',
    run: async (options) => (await import('./routes/bench.ts')).routes(options),
  },
  auth: {
    about: 'signed requests, beside better-auth, express-session, Fastify',
    run: async (options) => (await import('./auth/bench.ts')).auth(options),
  },
  storm: {
    about: 'signed requests while many people log in, beside better-auth and Fastify',
    run: async (options) => (await import('./storm/bench.ts')).storm(options),
  },
  proxy: {
    about: 'a call through the web proxy, beside the same call directly and better-auth',
    run: async (options) => (await import('./proxy/bench.ts')).proxy(options),
  },
  types: {
    about: 'type-check of 1,000 routes and their client, beside tRPC, oRPC, Hono hc, Elysia eden',
    run: async (options) => (await import('./types/bench.ts')).types(options),
  },
  streams: {
    about:
      'events to 10,000 connections, beside better-sse, Hono, ws, Socket.IO and writers by hand',
    run: async (options) => (await import('./streams/bench.ts')).streams(options),
  },
  many: {
    about: 'events between two instances, over Redis and over PostgreSQL',
    missing: () => (findOrInstallRedis() ? null : 'no redis-server or valkey-server here'),
    run: async (options) => (await import('./streams/many.ts')).many(options),
  },
  recovery: {
    about:
      'clients that come again to what they have missed, beside Socket.IO and a writer by hand',
    run: async (options) => (await import('./recovery/bench.ts')).recovery(options),
  },
  growth: {
    about: 'each step of sign-in at 10,000 and at 1,000,000 accounts',
    run: async (options) => (await import('./growth/bench.ts')).growth(options),
  },
  start: {
    about: 'cold start to the first answer, beside node:http, Hono, Fastify',
    run: async (options) => (await import('./start/bench.ts')).start(options),
  },
}

function help() {
  console.log('usage: npm run bench <name> [-- --quick]\n')
  for (const [one, { about }] of Object.entries(benches)) console.log(`  ${one.padEnd(9)}${about}`)
  console.log(
    '  smoke    whether all of them run, in one short round each, or those named after it',
  )
  console.log('  report   writes the kept results into docs/performance.md')
  console.log('\n--quick  fewer and shorter rounds; the result is printed but not kept')
}

/** Fails where a bench, or a variant that it chooses, does not run although what it needs is here. */
async function smoke(chosen: string[]) {
  for (const [one, each] of Object.entries(benches)) {
    if (chosen.length > 0 && !chosen.includes(one)) continue
    const missing = each.missing?.()
    if (missing) {
      console.log(`${one.padEnd(9)}skipped: ${missing}`)
      continue
    }
    const began = performance.now()
    await each.run({ quick: true, smoke: true })
    console.log(`${one.padEnd(9)}runs (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const name = positionals[0] ?? ''
const bench = benches[name]
if (name === 'report' && !values.help) {
  const { report } = await import('./harness/report.ts')
  report()
} else if (name === 'smoke' && !values.help) {
  await smoke(positionals.slice(1))
} else if (values.help || bench === undefined) {
  help()
  process.exitCode = values.help ? 0 : 2
} else if (bench.missing?.()) {
  console.error(`${name} can't run: ${bench.missing()}.`)
  process.exitCode = 1
} else {
  const measured = await bench.run({ quick: values.quick })
  print(measured)
  if (!values.quick) save(measured)
}
