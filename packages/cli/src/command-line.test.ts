import { afterEach, describe, expect, it, vi } from 'vitest'
import { paint } from './terminal.ts'
import { runSvc } from './testing/application.ts'

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
    ['frob', 'svc has no command "frob". See "svc --help".'],
    ['help creat', 'svc has no command "creat". Did you mean "svc create"?'],
    ['users', 'svc has no command "users". Did you mean "svc users import"?'],
    ['users improt', 'svc has no command "users". Did you mean "svc users import"?'],
    ['constructor', 'svc has no command "constructor". See "svc --help".'],
    ['--hlep', 'svc has no flag "--hlep". Did you mean "svc --help"?'],
    ['migrate stauts', 'svc migrate does not take "stauts". Did you mean "svc migrate status"?'],
    ['create', 'svc create needs <folder>: svc create <folder>'],
    ['docs', 'svc has no command "docs". Did you mean "svc docs search"?'],
    ['docs search', 'svc docs search needs <words>: svc docs search <words>'],
    [
      'docs search route --page 2',
      'svc docs search has no flag "--page". Its flags are --json, --limit and --help.',
    ],
    [
      'docs search route --limit 0',
      'svc docs search: --limit takes a number from 1 to 100, not "0".',
    ],
    ['call greet --output table', 'svc call: --output takes json, not "table".'],
    ['generate now', 'svc generate does not take "now". See "svc generate --help".'],
    ['generate --chekc', 'svc generate has no flag "--chekc". Did you mean "--check"?'],
    [
      'openapi --check',
      'svc openapi has no flag "--check". Its flags are --out, --server and --help.',
    ],
    [
      'generate -c',
      'svc generate has no flag "-c". Its flags are --check, --routes, --name, --fill-by-hand, --server, --route-map and --help.',
    ],
    ['generate --name', 'svc generate: --name needs a value: --name <name>'],
    ['generate --name --check', 'svc generate: --name needs a value: --name <name>'],
    ['generate --name=', 'svc generate: --name needs a value: --name <name>'],
    ['generate --check=no', 'svc generate: --check takes no value.'],
    [
      'generate --name ../up',
      'svc generate: --name takes letters, digits, "-" and "_", such as add-orders, not "../up".',
    ],
    [
      'audit export --from now',
      'svc audit export: --from takes a day or a moment, such as 2030-01-31 or 2030-01-31T12:00:00Z, not "now".',
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
