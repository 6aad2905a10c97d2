import { afterEach, describe, expect, it, vi } from 'vitest'
import { paint } from './terminal.ts'
import { runSvc } from './testing/application.ts'

describe('svc --help', () => {
  it('lists the commands', async () => {
    const { code, stdout, stderr } = await runSvc(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "The command of Svc, for an application built on it.

      Usage
        svc <command> [options]

      Commands
        generate         Write the route map, and a migration when tables changed
        migrate          Apply pending migrations to DATABASE_URL
        migrate status   List every migration, and whether it is applied
        asyncapi         Print the AsyncAPI 3.0 document of the events and messages
        openapi          Print the OpenAPI 3.1 document of the routes
        contract         Print the contract that clients on devices are built against
        contract check   Say what breaks clients that are built against the committed contract
        doctor           Say what keeps people from signing in with a provider

      Options
        --help      Print this, or after a command the help on it
        --version   Print the version

      Where the application is
        The nearest package.json says it, from here upward; these are the defaults,
        and api/server.ts is found as well:

          "svc": { "server": "./server.ts", "routeMap": "./route-map.generated.ts" }
      "
    `)
  })

  it('is what svc alone prints', async () => {
    expect(await runSvc([])).toEqual(await runSvc(['-h']))
  })

  it('explains a command, also beside its flags', async () => {
    const { code, stdout } = await runSvc(['generate', '--check', '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "Write the route map, and a migration when tables changed.

      Usage
        svc generate [--check] [--name <name>] [--server <file>] [--route-map <file>]

      Loads the server definition, and writes what follows from it: the route map that the
      typed client reads, and an SQL migration when the tables differ from the last one.
      Commit what it writes. With --check it is a test for CI.

      Options
        --check              Write nothing; exit 1 when something would be written
        --name <name>        What the migration is called, such as add-orders
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
      ['migrate status', 'asyncapi', 'openapi', 'contract', 'contract check', 'doctor'].map(
        (name) => runSvc([...name.split(' '), '--help']),
      ),
    )
    expect(pages.map(({ stdout }) => stdout).join('\n')).toMatchInlineSnapshot(`
      "List every migration, and whether it is applied.

      Usage
        svc migrate status [--server <file>]

      Changes nothing. Exits 1 when a migration is pending, or was edited after it had been
      applied.

      Options
        --server <file>   The file whose default export is the server definition
        --help            Print this

      Print the AsyncAPI 3.0 document of the events and messages.

      Usage
        svc asyncapi [--out <file>] [--server <file>]

      What the application streams over server-sent events and WebSockets. Title and version are
      those of its package.json, the address is NEXT_PUBLIC_SVC_API_URL or SVC_API_URL. Exits 1
      when it has no event router.

      Options
        --out <file>      Write the document to a file
        --server <file>   The file whose default export is the server definition
        --help            Print this

      Print the OpenAPI 3.1 document of the routes.

      Usage
        svc openapi [--out <file>] [--server <file>]

      Title and version are those of the application's package.json.

      Options
        --out <file>      Write the document to a file
        --server <file>   The file whose default export is the server definition
        --help            Print this

      Print the contract that clients on devices are built against.

      Usage
        svc contract [--out <file>] [--contract <name>] [--server <file>]

      The operations that say .inContract(…), with their schemas, types and errors, as JSON:
      what Swift, Kotlin and TypeScript clients are generated from. Name and version are those of
      the router: defineRouter(routes, { contract: { name, version } }). Commit what it writes.

      Options
        --out <file>        Write the document to a file
        --contract <name>   Which contract, where the application has several
        --server <file>     The file whose default export is the server definition
        --help              Print this

      See also
        svc contract check   Say what breaks clients that are built against the committed contract

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
      "
    `)
  })
})

describe('svc --version', () => {
  it('prints the version of the package', async () => {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
    expect(await runSvc(['--version'])).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
  })
})

describe('a command line that is not understood', () => {
  it.each([
    ['generat', 'svc has no command "generat". Did you mean "svc generate"?'],
    [
      'frob',
      'svc has no command "frob". It has generate, migrate, migrate status, asyncapi, openapi, contract, contract check and doctor.',
    ],
    [
      'constructor',
      'svc has no command "constructor". It has generate, migrate, migrate status, asyncapi, openapi, contract, contract check and doctor.',
    ],
    ['--hlep', 'svc has no flag "--hlep". Did you mean "svc --help"?'],
    ['migrate stauts', 'svc migrate does not take "stauts". Did you mean "svc migrate status"?'],
    ['generate now', 'svc generate does not take "now". See "svc generate --help".'],
    ['generate --chekc', 'svc generate has no flag "--chekc". Did you mean "--check"?'],
    ['openapi --check', 'svc openapi has no flag "--check". It has --out, --server and --help.'],
    [
      'generate -c',
      'svc generate has no flag "-c". It has --check, --name, --server, --route-map and --help.',
    ],
    ['generate --name', 'svc generate: --name needs a value: --name <name>'],
    ['generate --name --check', 'svc generate: --name needs a value: --name <name>'],
    ['generate --name=', 'svc generate: --name needs a value: --name <name>'],
    ['generate --check=no', 'svc generate: --check takes no value.'],
    [
      'generate --name ../up',
      'svc generate: --name takes letters, digits, "-" and "_", such as add-orders; this is "../up".',
    ],
  ])('svc %s: one line, exit 2', async (line, stderr) => {
    expect(await runSvc(line.split(' '))).toEqual({ code: 2, stdout: '', stderr: `${stderr}\n` })
  })
})

describe('paint', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  const terminal = { isTTY: true } as typeof process.stdout
  const pipe = { isTTY: false } as typeof process.stdout

  it('colours on a terminal only, and never with NO_COLOR', () => {
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('FORCE_COLOR', '1')
    expect(paint('red', 'text', terminal)).toBe('\u001B[31mtext\u001B[39m')
    expect(paint('red', 'text', pipe)).toBe('text')
    vi.stubEnv('NO_COLOR', '1')
    expect(paint('red', 'text', terminal)).toBe('text')
  })
})
