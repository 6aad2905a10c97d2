import type { Application } from './application/open-application.ts'
import type { FlagName, Flags } from './flags.ts'

interface About {
  summary: string
  details: string
  flags: readonly FlagName[]
}

/** Each imports what it needs when it runs, because that takes up to a second to load. Returns the exit code. */
interface OfApplication extends About {
  run(application: Application, flags: Flags): Promise<number>
}

/** Works anywhere: it neither looks for an application nor loads one. */
interface Alone extends About {
  runAlone(flags: Flags): Promise<number>
}

export type Command = OfApplication | Alone

/** Every command by what is typed for it. */
export const commands = new Map<string, Command>(
  Object.entries({
    generate: {
      summary: 'Write the route map, and a migration when tables changed',
      details: `Loads the server definition, and writes what follows from it: the route map that the
typed client reads, and an SQL migration when the tables differ from the last one.
Commit what it writes. With --check it is a test for CI.`,
      flags: ['check', 'name', 'server', 'route-map'],
      run: async (application, given) =>
        (await import('./generate/generate.ts')).generate(application, given),
    },
    migrate: {
      summary: 'Apply pending migrations to DATABASE_URL',
      details: `Applies what is pending, the packages' migrations first and then the application's, each
in a transaction of its own. Several at once are safe: the others wait.`,
      flags: ['server'],
      run: async (application) =>
        (await import('./migrate/migrate.ts')).migratePending(application),
    },
    'migrate status': {
      summary: 'List every migration, and whether it is applied',
      details: `Changes nothing. Exits 1 when a migration is pending, or was edited after it had been
applied.`,
      flags: ['server'],
      run: async (application) => (await import('./migrate/status.ts')).printStatus(application),
    },
    asyncapi: {
      summary: 'Print the AsyncAPI 3.0 document of the events and messages',
      details: `What the application streams over server-sent events and WebSockets. Title and version are
those of its package.json, the address is NEXT_PUBLIC_SVC_API_URL or SVC_API_URL. Exits 1
when it has no event router.`,
      flags: ['out', 'server'],
      run: async (application) =>
        (await import('./asyncapi/asyncapi.ts')).printAsyncApi(application),
    },
    openapi: {
      summary: 'Print the OpenAPI 3.1 document of the routes',
      details: `Title and version are those of the application's package.json.`,
      flags: ['out', 'server'],
      run: async (application) => (await import('./openapi/openapi.ts')).printOpenApi(application),
    },
    contract: {
      summary: 'Print the contract that clients on devices are built against',
      details: `The operations that say .inContract(…), with their schemas, types and errors, as JSON:
what Swift, Kotlin and TypeScript clients are generated from. Name and version are those of
the router: defineRouter(routes, { contract: { name, version } }). Commit what it writes.`,
      flags: ['out', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/print-contract.ts')).printContract(application, given),
    },
    'contract check': {
      summary: 'Say what breaks clients that are built against the committed contract',
      details: `Compares the committed contract with what the application has now. Exits 1 when a change
breaks clients and the version of the contract has not stepped: the minor while the major
is 0, the major after that. What is only added passes.`,
      flags: ['against', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/check-contract.ts')).checkContract(application, given),
    },
    doctor: {
      summary: 'Say what keeps people from signing in with a provider',
      details: `Looks at a running deployment from outside, as a browser goes about it, and explains a wrong
redirect URI, a missing rewrite, a lost cookie. It begins a sign-in with each provider and
calls it off, so no account is touched. Exits 1 when something is wrong.

Without flags the addresses are NEXT_PUBLIC_SVC_APP_URL or SVC_APP_URL, and
NEXT_PUBLIC_SVC_API_URL or SVC_API_URL.`,
      flags: ['app', 'api'],
      runAlone: async (given) => (await import('./doctor/doctor.ts')).doctor(given),
    },
  }),
)
