import { describe, expect, it } from 'vitest'
import { runSvc } from './testing/application.ts'

describe('svc --help', () => {
  it('lists the commands', async () => {
    const { code, stdout, stderr } = await runSvc(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Svc creates, runs and operates an application.

      Usage
        svc <command> [options]

      Create and run
        create                         Create an application from the starter
        dev                            Run the API and the web app, and restart what you change
        start                          Build the web app if it changed, and run both

      Generate and migrate
        generate                       Write the route map, and a migration if tables changed
        migrate                        Apply pending migrations to DATABASE_URL
        migrate status                 List every migration, and whether it is applied

      Describe the API
        routes                         List every route, who may call it, and its limit
        tools                          List the tools and resources that an agent would see
        asyncapi                       Print the AsyncAPI 3.0 document of the events and messages
        openapi                        Print the OpenAPI 3.1 document of the routes
        contract                       Print the contract that clients on devices are built from
        contract check                 Find changes that break clients built from the committed contract

      Operate
        db                             Show how to connect to the database, and open psql
        keys                           Create the secrets that an application needs
        keys check                     List secrets and variables that are missing or wrong for production
        keys rotate                    Replace a secret, and keep the old one for reading
        users import                   Import the users of another system, with their passwords
        organizations import           Import the organizations of another system, with their members
        sign-out-everyone              Sign out every device, program and agent of every account
        audit verify                   Check that the audit trail is as the server wrote it
        audit export                   Print the audit trail as JSON Lines
        audit key                      Print the public key that the audit trail is signed with
        doctor                         Find out why signing in with a provider fails

      Call the API
        login                          Make this computer a device of your account
        logout                         Sign this computer out
        whoami                         Say whose device this computer is
        call                           Call an operation of the application, and print what it answers
        users list                     Find users by address, number, name, role or status
        users show                     Show a user: devices, second factor, ways to sign in, what waits
        users suspend                  Sign a user out everywhere, and refuse new sign-ins
        users reactivate               Let a suspended user sign in again
        users sign-out                 Sign a user out of all devices, or of one
        users require-password         Make a user choose another password
        users close                    Close an account: it is deleted when its grace period is over
        users restore                  Restore an account whose deletion is pending
        users add-role                 Give a user one more role
        users remove-role              Take one role from a user
        audit list                     List what was done, and by which account
        roles list                     List the roles, and what each may do
        roles create                   Create a role
        roles update                   Change what a role is called, its priority or its permissions
        roles grant                    Add permissions to a role
        roles revoke                   Take permissions from a role
        roles delete                   Delete a role that no user has
        jobs queues                    Count the jobs that wait, run and have failed
        jobs list                      List jobs, with the error of those that have failed
        jobs show                      Show a job: its input, and the stack of its error
        jobs retry                     Run a failed job once more
        jobs cancel                    Cancel a job that waits
        organizations list             Find organizations by name, slug, member or state
        organizations show             Show an organization: its state, members and owners
        organizations close            Close an organization, which no owner can open again
        organizations reopen           Open a closed organization again, until it is deleted
        organizations add-owner        Make a member an owner too, if no owner can be reached
        organizations clear-policies   End all policies of one, if no owner can meet them

      Read the documentation
        docs search                    Search the documentation that came with this command

      Options
        --help      Print this help, or the help of a command
        --version   Print the version

      How svc finds the application
        It reads "svc" in the nearest package.json, here or in a folder above. These are the
        defaults. It finds api/server.ts too:

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
      "Write the route map, and a migration if tables changed.

      Usage
        svc generate [--check] [--routes] [--name <name>] [--fill-by-hand] [--server <file>] [--route-map <file>]

      Loads the server definition, and writes the route map that the typed client reads. If the tables
      differ from the last migration, it writes a new SQL migration too. Commit both. In CI, use --check.

      A new NOT NULL column without a default is refused, because existing rows would have no value for
      it. The message lists the ways to fill them; --fill-by-hand is one.

      Options
        --check              Write nothing; exit 1 if something would be written
        --routes             Write the route map only, and say whether tables changed
        --name <name>        Name of the migration, such as add-orders
        --fill-by-hand       Write a migration in which you set the value of a new NOT NULL column
        --server <file>      File with the server definition as its default export
        --route-map <file>   File to write the route map to
        --help               Print this help
      "
    `)
  })

  it('of migrate leads to its status', async () => {
    expect((await runSvc(['migrate', '--help'])).stdout).toMatchInlineSnapshot(`
      "Apply pending migrations to DATABASE_URL.

      Usage
        svc migrate [--server <file>]

      Applies pending migrations, first those of the packages and then those of the application, each in
      its own transaction. You can run several at once: they wait for each other.

      Without DATABASE_URL, it uses the database of development, embedded:./.svc/data, and says so. With
      NODE_ENV=production, it refuses instead. It does not read .env.

      Options
        --server <file>   File with the server definition as its default export
        --help            Print this help

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

      Changes nothing. Exits 1 if a migration is pending, or was edited after it was applied. It uses the
      database of "svc migrate".

      Options
        --server <file>   File with the server definition as its default export
        --help            Print this help

      Find changes that break clients built from the committed contract.

      Usage
        svc contract check [--against <file>] [--contract <name>] [--server <file>]

      Compares the committed contract with the application. Exits 1 if a change breaks clients and you
      did not raise the version of the contract: the major version, or the minor version while the major
      is 0. Additions pass.

      Options
        --against <file>    The committed contract; the default is contract.json
        --contract <name>   Which contract, if the application has several
        --server <file>     File with the server definition as its default export
        --help              Print this help

      Find out why signing in with a provider fails.

      Usage
        svc doctor [--app <url>] [--api <url>]

      Checks a running deployment from outside, as a browser would, and explains for example a wrong
      redirect URI, a missing rewrite or a lost cookie. It starts a sign-in with each provider and cancels
      it, so no account is changed. Exits 1 if something is wrong.

      It also finds tables that are open to every organization: with a column organization_id, and without
      the policy of @svc/organizations. It looks into the database of DATABASE_URL. Without it, it looks
      into embedded:./.svc/data, if the addresses are on this machine.

      Without flags, the addresses are NEXT_PUBLIC_SVC_APP_URL or SVC_APP_URL, and
      NEXT_PUBLIC_SVC_API_URL or SVC_API_URL.

      Options
        --app <url>   Address of the web app in browsers
        --api <url>   Address of the API
        --help        Print this help

      Create an application from the starter.

      Usage
        svc create <folder> [--no-install]

      Copies the starter into a new or empty folder: an API and a web app with sign-in. "npm start" runs
      them there. The application gets the name of the folder. Its packages are installed with npm; with
      --no-install, the first "npm start" or "npm run dev" installs them.

      Options
        --no-install   Do not run npm install
        --help         Print this help

      Run the API and the web app, and restart what you change.

      Usage
        svc dev [--api-only] [--server <file>]

      Use this while you write the application. It runs main.ts beside server.ts, which starts the API,
      and "next dev" if there is a web app of Next.js. It prints the addresses to open. Ctrl-C stops both.
      Secrets for development are created once, in .svc/secrets.env.

      The API restarts when you save a file that it imports, or a migration. Requests wait until it is
      back, and the embedded database stays up. The route map is written when routes change.

      The ports are SVC_PORT (8790) and PORT (3790). The database is DATABASE_URL, or an embedded
      PostgreSQL if that is not set. Variables given with the command override those in .env.

      Options
        --api-only        Run without the web app
        --server <file>   File with the server definition as its default export
        --help            Print this help

      Create the secrets that an application needs.

      Usage
        svc keys [--env]

      Prints a new value for each secret, as lines for .env, with what it is for. With --env, it adds
      the missing ones to .env. It never changes or shows a secret that exists.

      Options
        --env    Add the missing ones to .env
        --help   Print this help

      See also
        svc keys check    List secrets and variables that are missing or wrong for production
        svc keys rotate   Replace a secret, and keep the old one for reading

      Replace a secret, and keep the old one for reading.

      Usage
        svc keys rotate <variable>

      Changes the variable in .env. From then on the server encrypts and signs with the new secret, and
      still reads what the old one protects. The command prints in which order to deploy, and when you can
      remove the old secret.
      The variable is SVC_AUTH_TOKEN_ENCRYPTION_KEYS, SVC_AUTH_SESSION_SECRET or SVC_PROXY_SECRET.

      Options
        --help   Print this help
      "
    `)
  })
})
