import { describe, expect, it } from 'vitest'
import { runSvc } from './testing/application.ts'

describe('svc --help', () => {
  it('lists the commands', async () => {
    const { code, stdout, stderr } = await runSvc(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "The command of Svc, for an application built on it.

      Usage
        svc <command> [options]

      Begin and run
        create                   Make an application of your own from the starter
        dev                      Run the API and the web app, and start again what you change
        start                    Build the web app where it changed, and run both

      Keep in step with the code
        generate                 Write the route map, and a migration when tables changed
        migrate                  Apply pending migrations to DATABASE_URL
        migrate status           List every migration, and whether it is applied

      Describe it to others
        routes                   List every route, who may call it, and its limit
        asyncapi                 Print the AsyncAPI 3.0 document of the events and messages
        openapi                  Print the OpenAPI 3.1 document of the routes
        contract                 Print the contract that clients on devices are built against
        contract check           Say what breaks clients that are built against the committed contract

      Look after it
        db                       Say how to connect to the database, and open psql
        keys                     Make the secrets that an application needs
        keys check               Say which secrets and other variables are missing or wrong for production
        keys rotate              Put a new secret in front of an old one, which stays for reading
        users import             Bring the users of another system in, with their passwords
        sign-out-everyone        Sign every device, program and agent of every account out
        audit verify             Say whether the audit trail is as the server has written it
        audit export             Print the audit trail as JSON Lines
        audit key                Print the public key that the audit trail is signed with
        doctor                   Say what keeps people from signing in with a provider

      Call it as one of its users
        login                    Make this computer a device of your account
        logout                   Sign this computer out
        whoami                   Say whose device this computer is
        call                     Call an operation of the application, and print what it answers
        users list               Find users by address, number, name, role or status
        users show               Show a user: devices, second factor, ways to sign in, what waits
        users suspend            Sign a user out everywhere, and refuse new sign-ins
        users reactivate         Let a suspended user sign in again
        users sign-out           Sign a user out of all devices, or of one
        users require-password   Make a user choose another password
        users close              Close an account: it is deleted when its grace period is over
        users restore            Restore an account whose deletion is pending
        users add-role           Give a user one more role
        users remove-role        Take one role from a user
        roles list               List the roles, and what each may do
        audit list               List what was done, and by which account

      Options
        --help      Print this, or after a command the help on it
        --version   Print the version

      Where the application is
        The nearest package.json says it, from here upward; these are the defaults,
        and api/server.ts is found as well:

          "svc": { "server": "./server.ts", "routeMap": "./route-map.generated.ts",
                   "main": "./main.ts", "web": "./web" }
      "
    `)
  })

  it('is what svc alone prints', async () => {
    expect(await runSvc([])).toEqual(await runSvc(['-h']))
  })

  it('is what svc help prints, and after it the help on a command', async () => {
    expect(await runSvc(['help'])).toEqual(await runSvc(['--help']))
    expect(await runSvc(['help', 'create'])).toEqual(await runSvc(['create', '--help']))
    expect(await runSvc(['help', 'migrate', 'status'])).toEqual(
      await runSvc(['migrate', 'status', '--help']),
    )
  })

  it('explains a command, also beside its flags', async () => {
    const { code, stdout } = await runSvc(['generate', '--check', '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "Write the route map, and a migration when tables changed.

      Usage
        svc generate [--check] [--routes] [--name <name>] [--fill-by-hand] [--server <file>] [--route-map <file>]

      Loads the server definition, and writes what follows from it: the route map that the
      typed client reads, and an SQL migration when the tables differ from the last one.
      Commit what it writes. With --check it is a test for CI.

      A new column that is NOT NULL and has no default is refused first, with the ways to give the
      rows that are there a value; --fill-by-hand is one of them.

      Options
        --check              Write nothing; exit 1 when something would be written
        --routes             Write the route map alone, and only say when tables changed
        --name <name>        What the migration is called, such as add-orders
        --fill-by-hand       Write a migration that fills a new NOT NULL column with what you put in
        --server <file>      The file whose default export is the server definition
        --route-map <file>   The file that the route map is written to
        --help               Print this
      "
    `)
  })

  it('of migrate leads to its status', async () => {
    expect((await runSvc(['migrate', '--help'])).stdout).toMatchInlineSnapshot(`
      "Apply pending migrations to DATABASE_URL.

      Usage
        svc migrate [--server <file>]

      Applies what is pending, the packages' migrations first and then the application's, each
      in a transaction of its own. Several at once are safe: the others wait.

      Without DATABASE_URL it is the database of development, embedded:./.svc/data, and it says so
      first; with NODE_ENV=production it refuses. It does not read .env.

      Options
        --server <file>   The file whose default export is the server definition
        --help            Print this

      See also
        svc migrate status   List every migration, and whether it is applied
      "
    `)
  })

  it('has a page for every command it lists', async () => {
    const pages = await Promise.all(
      ['migrate status', 'contract check', 'doctor', 'create', 'dev', 'keys', 'keys rotate'].map(
        (name) => runSvc([...name.split(' '), '--help']),
      ),
    )
    expect(pages.map(({ stdout }) => stdout).join('\n')).toMatchInlineSnapshot(`
      "List every migration, and whether it is applied.

      Usage
        svc migrate status [--server <file>]

      Changes nothing. Exits 1 when a migration is pending, or was edited after it had been
      applied. The database is that of "svc migrate".

      Options
        --server <file>   The file whose default export is the server definition
        --help            Print this

      Say what breaks clients that are built against the committed contract.

      Usage
        svc contract check [--against <file>] [--contract <name>] [--server <file>]

      Compares the committed contract with what the application has now. Exits 1 when a change
      breaks clients and the version of the contract has not stepped: the minor while the major
      is 0, the major after that. What is only added passes.

      Options
        --against <file>    The committed contract; contract.json unless given
        --contract <name>   Which contract, where the application has several
        --server <file>     The file whose default export is the server definition
        --help              Print this

      Say what keeps people from signing in with a provider.

      Usage
        svc doctor [--app <url>] [--api <url>]

      Looks at a running deployment from outside, as a browser goes about it, and explains a wrong
      redirect URI, a missing rewrite, a lost cookie. It begins a sign-in with each provider and
      calls it off, so no account is touched. Exits 1 when something is wrong.

      Without flags the addresses are NEXT_PUBLIC_SVC_APP_URL or SVC_APP_URL, and
      NEXT_PUBLIC_SVC_API_URL or SVC_API_URL.

      Options
        --app <url>   Where browsers find the web app
        --api <url>   Where the API is
        --help        Print this

      Make an application of your own from the starter.

      Usage
        svc create <folder> [--no-install]

      Copies the starter into a folder that is new or empty: an API and a web app with sign-in, which
      "npm start" runs there. The folder's name becomes the application's. Its packages are installed
      with npm; --no-install leaves that to the first "npm start" or "npm run dev".

      Options
        --no-install   Leave npm install to you
        --help         Print this

      Run the API and the web app, and start again what you change.

      Usage
        svc dev [--api-only] [--server <file>]

      For writing the application. Runs what starts the server, main.ts beside server.ts, and where
      there is a web app of Next.js "next dev", both with their variables. Secrets that development
      needs are made once, into .svc/secrets.env. It prints where to click; Ctrl-C ends all of it.

      The API starts again when you save a file that it imports, or a migration; requests wait
      meanwhile, and the embedded database stays up. The route map is written when routes change.

      Ports are SVC_PORT (8790) and PORT (3790), the database is DATABASE_URL or, without one, a
      PostgreSQL of its own. Variables in .env count, and those that are given with the command
      more.

      Options
        --api-only        Leave the web app out
        --server <file>   The file whose default export is the server definition
        --help            Print this

      Make the secrets that an application needs.

      Usage
        svc keys [--env]

      Prints a new value for each, as lines of a file of variables, with what it is for. With --env it
      writes those that are missing into .env, and changes nothing that is there; a secret that
      exists is never shown.

      Options
        --env    Write those that are missing into .env
        --help   Print this

      See also
        svc keys check    Say which secrets and other variables are missing or wrong for production
        svc keys rotate   Put a new secret in front of an old one, which stays for reading

      Put a new secret in front of an old one, which stays for reading.

      Usage
        svc keys rotate <variable>

      Changes the variable in .env: what is made from now on is made with the new secret, and what
      the old one has made can still be read. Says in which order to deploy, and when the old one
      may go. It takes SVC_AUTH_TOKEN_ENCRYPTION_KEYS, SVC_AUTH_SESSION_SECRET or SVC_PROXY_SECRET.

      Options
        --help   Print this
      "
    `)
  })
})
