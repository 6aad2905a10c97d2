import type { Command } from './command.ts'
import { jobCommands } from './jobs/jobs.ts'
import { organizationCommands } from './organizations/organizations.ts'
import { peopleCommands } from './people/people.ts'
import { roleCommands } from './roles/roles.ts'

/** Every command, by its name on the command line. */
export const commands = new Map<string, Command>(
  Object.entries<Command>({
    create: {
      group: 'Create and run',
      summary: 'Create an application from the starter',
      details: `Copies the starter into a new or empty folder: an API and a web app with sign-in. "npm start" runs
them there. The application gets the name of the folder. Its packages are installed with npm; with
--no-install, the first "npm start" or "npm run dev" installs them.`,
      flags: ['no-install'],
      argument: '<folder>',
      runAlone: async (given, folder) => (await import('./create/create.ts')).create(folder, given),
    },
    dev: {
      group: 'Create and run',
      summary: 'Run the API and the web app, and restart what you change',
      details: `Use this while you write the application. It runs main.ts beside server.ts, which starts the API,
and "next dev" if there is a web app of Next.js. It prints the addresses to open. Ctrl-C stops both.
Secrets for development are created once, in .svc/secrets.env.

The API restarts when you save a file that it imports, or a migration. Requests wait until it is
back, and the embedded database stays up. The route map is written when routes change.

The ports are SVC_PORT (8790) and PORT (3790). The database is DATABASE_URL, or an embedded
PostgreSQL if that is not set. Variables given with the command override those in .env.`,
      flags: ['api-only', 'server'],
      runAlone: async (given) => (await import('./start/start.ts')).develop(given),
    },
    start: {
      group: 'Create and run',
      summary: 'Build the web app if it changed, and run both',
      details: `Like "svc dev", but the web app is built as for a deployment, and nothing restarts when you save.
With NODE_ENV=production, no secret is created, and the command stops before it builds if
"svc keys check" finds something missing or wrong, or if a migration is pending.`,
      flags: ['api-only', 'server'],
      runAlone: async (given) => (await import('./start/start.ts')).start(given),
    },
    generate: {
      group: 'Generate and migrate',
      summary: 'Write the route map, and a migration if tables changed',
      details: `Loads the server definition, and writes the route map that the typed client reads. If the tables
differ from the last migration, it writes a new SQL migration too. Commit both. In CI, use --check.

A new NOT NULL column without a default is refused, because existing rows would have no value for
it. The message lists the ways to fill them; --fill-by-hand is one.`,
      flags: ['check', 'routes', 'name', 'fill-by-hand', 'server', 'route-map'],
      run: async (application, given) =>
        (await import('./generate/generate.ts')).generate(application, given),
    },
    migrate: {
      group: 'Generate and migrate',
      summary: 'Apply pending migrations to DATABASE_URL',
      details: `Applies pending migrations, first those of the packages and then those of the application, each in
its own transaction. You can run several at once: they wait for each other.

Without DATABASE_URL, it uses the database of development, embedded:./.svc/data, and says so. With
NODE_ENV=production, it refuses instead. It does not read .env.`,
      flags: ['server'],
      run: async (application) =>
        (await import('./migrate/migrate.ts')).migratePending(application),
    },
    'migrate status': {
      group: 'Generate and migrate',
      summary: 'List every migration, and whether it is applied',
      details: `Changes nothing. Exits 1 if a migration is pending, or was edited after it was applied. It uses the
database of "svc migrate".`,
      flags: ['server'],
      run: async (application) => (await import('./migrate/migrate.ts')).printStatus(application),
    },
    db: {
      group: 'Operate',
      summary: 'Show how to connect to the database, and open psql',
      details: `Prints host or socket, port, user, database, and where the password is. Then it opens psql, if
that is installed. It uses the database of "svc migrate". An embedded database is started, and runs
until the command ends: without psql, press Ctrl-C to end it.

A graphical client must support Unix sockets, except on Windows.`,
      flags: ['server'],
      run: async (application) => (await import('./db/db.ts')).openDatabase(application),
    },
    routes: {
      group: 'Describe the API',
      summary: 'List every route, who may call it, and its limit',
      details: `The routes of the application, of its packages and of the server, in one table. "Who may call"
shows the "allow" of the route: public, bearer, may order:read. Words in parentheses come from its
middleware instead: (requestJwt) takes a signed request, and (unknown) has a middleware that
documents nothing.`,
      flags: ['json', 'server'],
      run: async (application, given) =>
        (await import('./routes/routes.ts')).printRoutes(application, given),
    },
    tools: {
      group: 'Describe the API',
      summary: 'List the tools and resources that an agent would see',
      details: `The operations that the application offers to agents, by endpoint, with the permissions that each
needs. An agent sees one if its user has these permissions and has allowed them to the agent.

With --role, it lists what an agent of a user with that role would see, if the user allows all of
it. That asks a running API for the role, so you need to be signed in as a superadmin. With
--json, it prints what an agent reads of each tool.`,
      flags: ['role', 'json', 'api', 'server'],
      run: async (application, given) =>
        (await import('./tools/tools.ts')).printTools(application, given),
    },
    asyncapi: {
      group: 'Describe the API',
      summary: 'Print the AsyncAPI 3.0 document of the events and messages',
      details: `Describes what the application streams over server-sent events and WebSockets. Title and version
come from its package.json, the address from NEXT_PUBLIC_SVC_API_URL or SVC_API_URL. Exits 1 if the
application has no event router.`,
      flags: ['out', 'server'],
      run: async (application) =>
        (await import('./asyncapi/asyncapi.ts')).printAsyncApi(application),
    },
    openapi: {
      group: 'Describe the API',
      summary: 'Print the OpenAPI 3.1 document of the routes',
      details: `Title and version come from the application's package.json.`,
      flags: ['out', 'server'],
      run: async (application) => (await import('./openapi/openapi.ts')).printOpenApi(application),
    },
    contract: {
      group: 'Describe the API',
      summary: 'Print the contract that clients on devices are built from',
      details: `The operations marked with .inContract(…), with their schemas, types and errors, as JSON. Swift,
Kotlin and TypeScript clients are generated from it. Name and version come from the router:
defineRouter(routes, { contract: { name, version } }). Commit what it writes.`,
      flags: ['out', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/contract.ts')).printContract(application, given),
    },
    'contract check': {
      group: 'Describe the API',
      summary: 'Find changes that break clients built from the committed contract',
      details: `Compares the committed contract with the application. Exits 1 if a change breaks clients and you
did not raise the version of the contract: the major version, or the minor version while the major
is 0. Additions pass.`,
      flags: ['against', 'contract', 'server'],
      run: async (application, given) =>
        (await import('./contract/contract.ts')).checkContract(application, given),
    },
    keys: {
      group: 'Operate',
      summary: 'Create the secrets that an application needs',
      details: `Prints a new value for each secret, as lines for .env, with what it is for. With --env, it adds
the missing ones to .env. It never changes or shows a secret that exists.`,
      flags: ['env'],
      runAlone: async (given) => (await import('./keys/keys.ts')).makeKeys(given),
    },
    'keys check': {
      group: 'Operate',
      summary: 'List secrets and variables that are missing or wrong for production',
      details: `Runs the checks that the application runs when it starts with NODE_ENV=production. It reads .env,
and the variables given with the command. Exits 1 if something is missing or wrong.`,
      flags: ['server'],
      run: async (application) => (await import('./keys/keys.ts')).checkKeys(application),
    },
    'keys rotate': {
      group: 'Operate',
      summary: 'Replace a secret, and keep the old one for reading',
      details: `Changes the variable in .env. From then on the server encrypts and signs with the new secret, and
still reads what the old one protects. The command prints in which order to deploy, and when you can
remove the old secret.
The variable is SVC_AUTH_TOKEN_ENCRYPTION_KEYS, SVC_AUTH_SESSION_SECRET or SVC_PROXY_SECRET.`,
      flags: [],
      argument: '<variable>',
      runAlone: async (_, variable) => (await import('./keys/keys.ts')).rotate(variable),
    },
    'users import': {
      group: 'Operate',
      summary: 'Import the users of another system, with their passwords',
      details: `Reads an export of better-auth, Auth.js, Supabase, Firebase, Keycloak or Django, or a table of
your own, as .csv, .jsonl or .json. It creates an account for each row, in the database of
"svc migrate". Passwords keep working: their hashes are imported, and replaced at the first sign-in.

Accounts that exist are not changed, so you can run it again. It sends no mail. Exits 1 if a row
was refused; --report writes which rows, and why. See docs/guide/import.md for how to export users
from each system.`,
      flags: ['from', 'dry-run', 'report', 'emails-verified', 'firebase-hash-config', 'server'],
      argument: '<file>',
      runAlone: async (given, file) =>
        (await import('./import/import.ts')).importUsers(file, given),
    },
    'organizations import': {
      group: 'Operate',
      summary: 'Import the organizations of another system, with their members',
      details: `Reads an export of better-auth's organization plugin, of Clerk's API, or a table of your own, as
.csv, .jsonl or .json. Import the users first: their accounts become the members, in the database of
"svc migrate". Members keep the roles owner, admin and member; --roles says what other roles become.

What exists is not changed, and what was removed since is not brought back, so you can run it again.
It sends no mail, and leaves out invitations. Exits 1 if a row was refused; --report writes which
rows, and why. See docs/guide/import-organizations.md for how to export them.`,
      flags: ['organizations-from', 'dry-run', 'report', 'role-names', 'server'],
      argument: '<file>',
      runAlone: async (given, file) =>
        (await import('./import/import.ts')).importOrganizations(file, given),
    },
    'sign-out-everyone': {
      group: 'Operate',
      summary: 'Sign out every device, program and agent of every account',
      details: `Use it after you restored an older state of the database, or when a secret or a backup leaked. In
the database of "svc migrate", it revokes the keys of devices and programs, the access of agents,
mailed links, codes, waiting devices and sign-ins in progress. Invitations stay, but you must send
them again. Passwords, passkeys, second factors and linked accounts stay: people sign in with them
again.

It says what it will do, and asks you to type a phrase. --yes skips the question, and is required
without a terminal. You can interrupt the command and run it again. Running instances refuse the
next request, and close open streams within a minute.`,
      flags: ['yes', 'server'],
      run: async (application, given) =>
        (await import('./sign-out/sign-out.ts')).signOutEveryone(application, given),
    },
    'audit verify': {
      group: 'Operate',
      summary: 'Check that the audit trail is as the server wrote it',
      details: `Reads the whole trail in the database of "svc migrate", and lists rows that were edited, removed,
moved or inserted. Checks signatures with the key of SVC_AUTH_VERIFICATION_TOKEN_SECRET, and with
the keys that --key and --heads name. Only heads that you kept elsewhere show that the end of the
trail is missing, or that all of it was rewritten: give them with --heads.

Exits with 0 if it found nothing, 1 if it found something, and 2 if it could not check.`,
      flags: ['heads', 'key', 'proofs', 'json', 'server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).verifyTrail(given),
    },
    'audit export': {
      group: 'Operate',
      summary: 'Print the audit trail as JSON Lines',
      details: `The oldest row first, with its signed request and its position in the chain. The rows contain
addresses, and what each account did. It uses the database of "svc migrate".`,
      flags: ['from-time', 'to-time', 'act', 'actor', 'target', 'server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).exportTrail(given),
    },
    'audit key': {
      group: 'Operate',
      summary: 'Print the public key that the audit trail is signed with',
      details: `As a JWK, for "svc audit verify --key" and for other programs. It is derived from
SVC_AUTH_VERIFICATION_TOKEN_SECRET: save it before you change that secret.`,
      flags: ['server'],
      runAlone: async (given) => (await import('./audit/audit.ts')).printTrailKey(given),
    },
    doctor: {
      group: 'Operate',
      summary: 'Find out why signing in with a provider fails',
      details: `Checks a running deployment from outside, as a browser would, and explains for example a wrong
redirect URI, a missing rewrite or a lost cookie. It starts a sign-in with each provider and cancels
it, so no account is changed. Exits 1 if something is wrong.

It also finds tables that are open to every organization: with a column organization_id, and without
the policy of @svc/organizations. It looks into the database of DATABASE_URL. Without it, it looks
into embedded:./.svc/data, if the addresses are on this machine.

Without flags, the addresses are NEXT_PUBLIC_SVC_APP_URL or SVC_APP_URL, and
NEXT_PUBLIC_SVC_API_URL or SVC_API_URL.`,
      flags: ['app', 'api'],
      runAlone: async (given) => (await import('./doctor/doctor.ts')).doctor(given),
    },
    login: {
      group: 'Call the API',
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
      group: 'Call the API',
      summary: 'Sign this computer out',
      details: 'Ends its key at the API, and deletes the file.',
      flags: ['api', 'server'],
      run: async (application, given) =>
        (await import('./device/device.ts')).logout(application, given),
    },
    whoami: {
      group: 'Call the API',
      summary: 'Say whose device this computer is',
      details: 'Exits 1 when it is signed out.',
      flags: ['output', 'api', 'server'],
      run: async (application, given) =>
        (await import('./device/device.ts')).whoami(application, given),
    },
    call: {
      group: 'Call the API',
      summary: 'Call an operation of the application, and print what it answers',
      details: `Any operation that "svc routes" lists, as the account that "svc login" signed in, or unsigned.
--json is the input of a typed client: "params", "query", "headers", and "body", or "form" where the
operation takes a form; with --json - it is read from the standard input. The answer is JSON; an
operation that answers nothing prints nothing.

  svc call listUsers --json '{"query":{"email":"ada"}}'

Where an operation needs a fresh proof of you, it asks for your password or code, if there is a
terminal. With --approve, it says where you approve the call in a browser instead, and waits; the
operation has to allow that. Exits 1 when the API refuses, with the reason on the standard error, and 2 when the
command itself is wrong. With --output json, the reason is JSON too.`,
      flags: ['input', 'approve', 'failure-output', 'api', 'server'],
      argument: '<operation>',
      run: async (application, given, name) =>
        (await import('./call/call.ts')).call(application, given, name),
    },
    ...peopleCommands,
    ...roleCommands,
    ...jobCommands,
    ...organizationCommands,
    'docs search': {
      group: 'Read the documentation',
      summary: 'Search the documentation that came with this command',
      details: `Lists the sections that say most about the words, each with the file and line to read. Give a few
words or a name from your code, such as:

  svc docs search validate the body of a route

It needs no network. Exits 1 if nothing is found.`,
      flags: ['json', 'limit'],
      argument: '<words>',
      takesText: true,
      runAlone: async (given, words) =>
        (await import('./documentation/documentation.ts')).searchDocs(words, given),
    },
  }),
)
