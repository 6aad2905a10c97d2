import type { Command } from './command.ts'
import { peopleCommands } from './people/commands.ts'

/** Every command, by its name on the command line. */
export const commands = new Map<string, Command>(
  Object.entries<Command>({
    create: {
      group: 'Begin and run',
      summary: 'Make an application of your own from the starter',
      details: `Copies the starter into a folder that is new or empty: an API and a web app with sign-in, which
"npm start" runs there. The folder's name becomes the application's. Its packages are installed
with npm; --no-install leaves that to the first "npm start" or "npm run dev".`,
      flags: ['no-install'],
      argument: '<folder>',
      runAlone: async (given, folder) => (await import('./create/create.ts')).create(folder, given),
    },
    dev: {
      group: 'Begin and run',
      summary: 'Run the API and the web app, and start again what you change',
      details: `For writing the application. Runs what starts the server, main.ts beside server.ts, and where
there is a web app of Next.js "next dev", both with their variables. Secrets that development
needs are made once, into .svc/secrets.env. It prints where to click; Ctrl-C ends all of it.

The API starts again when you save a file that it imports, or a migration; requests wait
meanwhile, and the embedded database stays up. The route map is written when routes change.

Ports are SVC_PORT (8790) and PORT (3790), the database is DATABASE_URL or, without one, a
PostgreSQL of its own. Variables in .env count, and those that are given with the command
more.`,
      flags: ['api-only', 'server'],
      runAlone: async (given) => (await import('./start/start.ts')).develop(given),
    },
    start: {
      group: 'Begin and run',
      summary: 'Build the web app where it changed, and run both',
      details: `As "svc dev", with the web app built as it is deployed, and nothing is started again. With
NODE_ENV=production no secret is made up, and what "svc keys check" finds missing or wrong
keeps it from building. So does a pending migration.`,
      flags: ['api-only', 'server'],
      runAlone: async (given) => (await import('./start/start.ts')).start(given),
    },
    generate: {
      group: 'Keep in step with the code',
      summary: 'Write the route map, and a migration when tables changed',
      details: `Loads the server definition, and writes what follows from it: the route map that the
typed client reads, and an SQL migration when the tables differ from the last one.
Commit what it writes. With --check it is a test for CI.

A new column that is NOT NULL and has no default is refused first, with the ways to give the
rows that are there a value; --fill-by-hand is one of them.`,
      flags: ['check', 'routes', 'name', 'fill-by-hand', 'server', 'route-map'],
      run: async (application, given) =>
        (await import('./generate/generate.ts')).generate(application, given),
    },
    migrate: {
      group: 'Keep in step with the code',
      summary: 'Apply pending migrations to DATABASE_URL',
      details: `Applies what is pending, the packages' migrations first and then the application's, each
in a transaction of its own. Several at once are safe: the others wait.

Without DATABASE_URL it is the database of development, embedded:./.svc/data, and it says so
first; with NODE_ENV=production it refuses. It does not read .env.`,
      flags: ['server'],
      run: async (application) =>
        (await import('./migrate/migrate.ts')).migratePending(application),
    },
    'migrate status': {
      group: 'Keep in step with the code',
      summary: 'List every migration, and whether it is applied',
      details: `Changes nothing. Exits 1 when a migration is pending, or was edited after it had been
applied. The database is that of "svc migrate".`,
      flags: ['server'],
      run: async (application) => (await import('./migrate/migrate.ts')).printStatus(application),
    },
    db: {
      group: 'Look after it',
      summary: 'Say how to connect to the database, and open psql',
      details: `Prints host or socket, port, user and database, and where the password is; then it opens psql
where that is installed. The database is that of "svc migrate". An embedded one is started, and
runs until the command ends: without psql and in a terminal, until Ctrl-C.

A graphical client has to take a Unix socket, except on Windows.`,
      flags: ['server'],
      run: async (application) => (await import('./db/db.ts')).openDatabase(application),
    },
    routes: {
      group: 'Describe it to others',
      summary: 'List every route, who may call it, and its limit',
      details: `The routes of the application, of its packages and of the server, in one table. "Who may call"
has the words of "allow": public, bearer, may order:read. Words in parentheses are those of the
middleware, because the route itself does not say it: (requestJwt) takes a signed request, and
(unknown) is behind a middleware that documents nothing.`,
      flags: ['json', 'server'],
      run: async (application, given) =>
        (await import('./routes/routes.ts')).printRoutes(application, given),
    },
    asyncapi: {
      group: 'Describe it to others',
      summary: 'Print the AsyncAPI 3.0 document of the events and messages',
      details: `What the application streams over server-sent events and WebSockets. Title and version are
those of its package.json, the address is NEXT_PUBLIC_SVC_API_URL or SVC_API_URL. Exits 1
when it has no event router.`,
      flags: ['out', 'server'],
      run: async (application) =>
        (await import('./asyncapi/asyncapi.ts')).printAsyncApi(application),
    },
    openapi: {
      group: 'Describe it to others',
      summary: 'Print the OpenAPI 3.1 document of the routes',
      details: `Title and version are those of the application's package.json.`,
      flags: ['out', 'server'],
      run: async (application) => (await import('./openapi/openapi.ts')).printOpenApi(application),
    },
    contract: {
      group: 'Describe it to others',
      summary: 'Print the contract that clients on devices are built against',
      details: `The operations that say .inContract(…), with their schemas, types and errors, as JSON:
what Swift, Kotlin and TypeScript clients are generated from. Name and version are those of
the router: defineRouter(routes, { contract: { name, version } }). Commit what it writes.`,
      flags: ['out', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/contract.ts')).printContract(application, given),
    },
    'contract check': {
      group: 'Describe it to others',
      summary: 'Say what breaks clients that are built against the committed contract',
      details: `Compares the committed contract with what the application has now. Exits 1 when a change
breaks clients and the version of the contract has not stepped: the minor while the major
is 0, the major after that. What is only added passes.`,
      flags: ['against', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/contract.ts')).checkContract(application, given),
    },
    keys: {
      group: 'Look after it',
      summary: 'Make the secrets that an application needs',
      details: `Prints a new value for each, as lines of a file of variables, with what it is for. With --env it
writes those that are missing into .env, and changes nothing that is there; a secret that
exists is never shown.`,
      flags: ['env'],
      runAlone: async (given) => (await import('./keys/keys.ts')).makeKeys(given),
    },
    'keys check': {
      group: 'Look after it',
      summary: 'Say which secrets and other variables are missing or wrong for production',
      details: `Asks the application's own checks, those that keep it from starting with NODE_ENV=production.
Reads .env, and the variables that are given with the command. Exits 1 when something is
missing or wrong.`,
      flags: ['server'],
      run: async (application) => (await import('./keys/keys.ts')).checkKeys(application),
    },
    'keys rotate': {
      group: 'Look after it',
      summary: 'Put a new secret in front of an old one, which stays for reading',
      details: `Changes the variable in .env: what is made from now on is made with the new secret, and what
the old one has made can still be read. Says in which order to deploy, and when the old one
may go. It takes SVC_AUTH_TOKEN_ENCRYPTION_KEYS, SVC_AUTH_SESSION_SECRET or SVC_PROXY_SECRET.`,
      flags: [],
      argument: '<variable>',
      runAlone: async (_, variable) => (await import('./keys/keys.ts')).rotate(variable),
    },
    'users import': {
      group: 'Look after it',
      summary: 'Bring the users of another system in, with their passwords',
      details: `Reads an export of better-auth, Auth.js, Supabase, Firebase, Keycloak or Django, or a table of
your own, as .csv, .jsonl or .json, and opens an account for everybody in it, in the database
of "svc migrate".
Passwords go on working: their hashes come along, and are replaced at the first sign-in.

Whoever is there already stays as they are, so it can be run again. No mail goes out. Exits 1
when a row was refused; --report says which, and why. How each system exports its users is in
docs/guide/import.md.`,
      flags: ['from', 'dry-run', 'report', 'emails-verified', 'firebase-hash-config', 'server'],
      argument: '<file>',
      runAlone: async (given, file) => (await import('./users/users.ts')).importUsers(file, given),
    },
    'sign-out-everyone': {
      group: 'Look after it',
      summary: 'Sign every device, program and agent of every account out',
      details: `For a database that was restored to an older state, and for a secret or a backup that has
leaked. Ends the keys of devices and programs, what agents were allowed with their tokens, mailed
links, codes, waiting devices and sign-ins that are under way, in the database of "svc migrate".
Invitations stay, and have to be sent again. Passwords, passkeys, second factors and linked
accounts stay: people sign in with them again.

Says what it will do and asks you to type a phrase; --yes skips the question, and is required where
there is no terminal. It can be broken off, and run again. Instances that run refuse the next
request, and end open streams within a minute.`,
      flags: ['yes', 'server'],
      run: async (application, given) =>
        (await import('./sign-out/sign-out.ts')).signOutEveryone(application, given),
    },
    'audit verify': {
      group: 'Look after it',
      summary: 'Say whether the audit trail is as the server has written it',
      details: `Reads the whole trail in the database of "svc migrate", and says which rows were edited, removed,
moved or inserted. Checks signatures with the key of SVC_AUTH_VERIFICATION_TOKEN_SECRET, and with
the keys that --key and --heads name. Only heads that you kept elsewhere show that the end of the
trail is missing, or that all of it was written again: give them with --heads.

Exits with 0 if it found nothing, 1 if it found something, and 2 if it could not check.`,
      flags: ['heads', 'key', 'proofs', 'json', 'server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).verifyTrail(given),
    },
    'audit export': {
      group: 'Look after it',
      summary: 'Print the audit trail as JSON Lines',
      details: `The oldest row first, with its signed request and its position in the chain. The rows contain
addresses, and what each account did. The database is that of "svc migrate".`,
      flags: ['from-time', 'to-time', 'act', 'actor', 'target', 'server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).exportTrail(given),
    },
    'audit key': {
      group: 'Look after it',
      summary: 'Print the public key that the audit trail is signed with',
      details: `As a JWK, for "svc audit verify --key" and for other programs. It is derived from
SVC_AUTH_VERIFICATION_TOKEN_SECRET: save it before you change that secret.`,
      flags: ['server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).printTrailKey(given),
    },
    doctor: {
      group: 'Look after it',
      summary: 'Say what keeps people from signing in with a provider',
      details: `Looks at a running deployment from outside, as a browser goes about it, and explains a wrong
redirect URI, a missing rewrite, a lost cookie. It begins a sign-in with each provider and
calls it off, so no account is touched. Exits 1 when something is wrong.

Without flags the addresses are NEXT_PUBLIC_SVC_APP_URL or SVC_APP_URL, and
NEXT_PUBLIC_SVC_API_URL or SVC_API_URL.`,
      flags: ['app', 'api'],
      runAlone: async (given) => (await import('./doctor/doctor.ts')).doctor(given),
    },
    login: {
      group: 'Call it as one of its users',
      summary: 'Make this computer a device of your account',
      details: `Makes a key on this computer, and shows a code that you type on a device where you are signed in.
From then on the commands of this group sign their requests with that key. The key stays in a
file of your user, one for each API, and no password is typed here.

Where the API is: --api, or NEXT_PUBLIC_SVC_API_URL, or SVC_API_URL, or http://localhost:8790.`,
      flags: ['api', 'app', 'server'],
      run: async (application, given) =>
        (await import('./device/device.ts')).login(application, given),
    },
    logout: {
      group: 'Call it as one of its users',
      summary: 'Sign this computer out',
      details: 'Ends its key at the API, and deletes the file.',
      flags: ['api', 'server'],
      run: async (application, given) =>
        (await import('./device/device.ts')).logout(application, given),
    },
    whoami: {
      group: 'Call it as one of its users',
      summary: 'Say whose device this computer is',
      details: 'Exits 1 when it is signed out.',
      flags: ['output', 'api', 'server'],
      run: async (application, given) =>
        (await import('./device/device.ts')).whoami(application, given),
    },
    call: {
      group: 'Call it as one of its users',
      summary: 'Call an operation of the application, and print what it answers',
      details: `Any operation that "svc routes" lists, as the account that "svc login" signed in, or unsigned.
--json is the input of a typed client: "params", "query", "body", "headers"; with --json - it is
read from the standard input. The answer is JSON; an operation that answers nothing prints nothing.

  svc call listUsers --json '{"query":{"email":"ada"}}'

Where an operation needs a fresh proof of you, it asks for your password or code, if there is a
terminal. Exits 1 when the API refuses, with the reason on the standard error, and 2 when the
command itself is wrong.`,
      flags: ['input', 'api', 'server'],
      argument: '<operation>',
      run: async (application, given, name) =>
        (await import('./call/call.ts')).call(application, given, name),
    },
    ...peopleCommands,
  }),
)
