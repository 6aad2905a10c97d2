import { readSecretFile } from './secret-file.ts'

/**
 * Reads one variable's text. A `problem` that it returns is shown beside the name. The text itself
 * is never shown.
 */
export interface Variable<Value> {
  (text: string | undefined): { value: Value } | { problem: string }
  /**
   * Its value is not a secret, so it can't come from a file: other programs may read the variable
   * too.
   */
  readonly isPlain?: true
}

type Variables = Record<string, Variable<unknown>>

/** The values that a set of variables gives. */
export type Environment<Set extends Variables> = {
  [Name in keyof Set]: Set[Name] extends Variable<infer Value> ? Value : never
}

/** Environment variables by name, in the form of `process.env`. */
export type EnvironmentSource = Record<string, string | undefined>

/**
 * Has every problem of the environment at once, so that you don't fix one only to meet the next.
 */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The environment has problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** The one place that reads the process's own variables. */
export function processEnvironment(): EnvironmentSource {
  return process.env
}

/** The variables of each reader, for a message that names it. */
const namesOfReader = new WeakMap<object, readonly string[]>()

/** Declares the variables a package reads. The reader throws one error that names every problem. */
export function defineEnv<Set extends Variables>(variables: Set) {
  function read(source: EnvironmentSource = processEnvironment()): Environment<Set> {
    const problems: string[] = []
    const values = Object.entries(variables).map(([name, variable]) => {
      const given = givenText(name, { source, variables })
      const result = 'problem' in given ? given : variable(given.text)
      if ('problem' in result) problems.push(`${name} ${result.problem}`)
      return [name, 'value' in result ? result.value : undefined]
    })
    if (problems.length > 0) throw new EnvironmentError(problems)
    return Object.fromEntries(values)
  }
  namesOfReader.set(read, Object.keys(variables))
  return read
}

interface Asked {
  source: EnvironmentSource
  variables: Variables
}

/**
 * The value of a variable, or the text of the file that `NAME_FILE` names. If `NAME_FILE` is
 * declared as a variable itself, it is only that.
 */
function givenText(
  name: string,
  { source, variables }: Asked,
): { text: string | undefined } | { problem: string } {
  // In shells and compose files, an empty variable means "not set".
  const own = source[name] || undefined
  const fileName = `${name}_FILE`
  if (variables[name]?.isPlain || Object.hasOwn(variables, fileName)) return { text: own }
  const path = source[fileName] || undefined
  if (path === undefined) return { text: own }
  if (own !== undefined) return { problem: `and ${fileName} are both set: unset one of them` }
  const file = readSecretFile(path)
  return 'text' in file ? file : { problem: `cannot be read: ${fileName} ${file.problem}` }
}

/** Reads the variables of an application, as what `defineEnv` returns does. */
export type EnvReader<Env extends object = object> = (source: EnvironmentSource) => Env

/** Answers the variables of a reader that the server was given, as they were when it started. */
export type DeclaredEnv = <Env extends object>(reader: EnvReader<Env>) => Readonly<Env>

/** Reads each once. A reader that a start did not check would fail in the middle of a request, so it is refused. */
export function declaredEnv(readers: readonly EnvReader[], source: EnvironmentSource): DeclaredEnv {
  const values = new Map<EnvReader, object>(readers.map((reader) => [reader, reader(source)]))
  return <Env extends object>(reader: EnvReader<Env>) => {
    const found = values.get(reader)
    // The reader's own result is stored for it.
    if (found) return found as Env
    const names = namesOfReader.get(reader)?.join(', ') ?? 'the variables of this reader'
    throw new Error(
      `This server does not know ${names}: add their reader with defineServer().env(reader).`,
    )
  }
}

/**
 * A variable whose value is not a secret, such as a port. Set it itself; it can't come from a file.
 */
export function plain<Value>(variable: Variable<Value>): Variable<Value> {
  // A new function, so that the given one stays unchanged.
  return Object.assign((given: string | undefined) => variable(given), { isPlain: true } as const)
}

/** A text that must be set. */
export const required: Variable<string> = (given) =>
  given === undefined ? { problem: 'is required' } : { value: given }

/** A text, or undefined where it is not set. */
export const optional: Variable<string | undefined> = (given) => ({ value: given })

/** A text with a default. */
export function text(initial: string): Variable<string> {
  return (given) => ({ value: given ?? initial })
}

interface Range<Initial> {
  initial: Initial
  min?: number
  max?: number
}

/** A whole number within a range. */
export function integer<Initial extends number | undefined = number>({
  initial,
  min = -Infinity,
  max = Infinity,
}: Range<Initial>): Variable<number | Initial> {
  return plain<number | Initial>((given) => {
    if (given === undefined) return { value: initial }
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN
    return value >= min && value <= max
      ? { value }
      : { problem: `must be a whole number${rangeWords(min, max)}` }
  })
}

function rangeWords(min: number, max: number) {
  if (max === Infinity) return min === -Infinity ? '' : ` of at least ${min}`
  return ` from ${min} to ${max}`
}

/** The first choice is the default. */
export function oneOf<const Choice extends string>(...choices: [Choice, ...Choice[]]) {
  const variable: Variable<Choice> = (given) => {
    if (given === undefined) return { value: choices[0] }
    const value = choices.find((choice) => choice === given)
    return value ? { value } : { problem: `must be one of: ${choices.join(', ')}` }
  }
  return plain(variable)
}

/** On or off: `1`, `true`, `on`, `yes`, or `0`, `false`, `off`, `no`. */
export function flag<Initial extends boolean | undefined>(initial: Initial) {
  const variable: Variable<boolean | Initial> = (given) => {
    if (given === undefined) return { value: initial }
    if (/^(?:1|true|on|yes)$/i.test(given)) return { value: true }
    if (/^(?:0|false|off|no)$/i.test(given)) return { value: false }
    return { problem: 'must be on or off' }
  }
  return plain(variable)
}

/** `7d`, `12h`, `45m`, `30s` or `500ms`, as milliseconds. */
export function duration(initial: string): Variable<number> {
  return plain((given) => {
    const millis = parseDuration(given ?? initial)
    // A life of 0 ms would be useless.
    return millis === null || millis === 0
      ? { problem: 'must be a duration such as 7d, 12h or 45m' }
      : { value: millis }
  })
}

/** Values separated by commas. */
export function list(initial: readonly string[] = []): Variable<readonly string[]> {
  return (given) => ({
    value:
      given
        ?.split(',')
        .map((item) => item.trim())
        .filter(Boolean) ?? initial,
  })
}

/** An address such as `postgres://…`, of one of these schemes. */
export function address(...schemes: string[]): Variable<string | undefined> {
  return (given) =>
    given === undefined || schemes.some((scheme) => given.startsWith(`${scheme}:`))
      ? { value: given }
      : { problem: `must start with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}` }
}

/** The address of a web server, such as `https://api.example.com`. */
export const webAddress: Variable<string | undefined> = plain((given) =>
  given === undefined || /^https?:$/.test(URL.parse(given)?.protocol ?? '')
    ? { value: given }
    : { problem: 'must be an address such as https://api.example.com' },
)

/**
 * A path of the web app, such as `/account`, that no reader can take for another path or another
 * host.
 */
export function appPath(initial: string): Variable<string> {
  return plain((given) => {
    const path = given ?? initial
    // A parser would change `//host`, `\`, `..` and tabs.
    return URL.parse(path, 'http://app.invalid')?.href === `http://app.invalid${path}`
      ? { value: path }
      : { problem: 'must be a path of the web app, such as /account' }
  })
}

const unitMillis = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `7d`, `12h`, `45m`, `30s`, `500ms` as milliseconds; null for anything else. */
export function parseDuration(given: string) {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(given.trim())
  if (!match) return null
  return Number(match[1]) * unitMillis[match[2] as keyof typeof unitMillis]
}

/** The words of examples in the place of a secret. */
const placeholder = /change[-_ ]?me|replace[-_ ]?(?:me|this|with)|example|your[-_ ]/i

/** Why an attacker with unlimited tries might guess this secret, or `null`. */
export function secretProblem(secret: string) {
  const characters = Array.from(secret)
  if (placeholder.test(secret)) return 'must not be an example'
  if (characters.length < 32) return 'must have at least 32 characters'
  if (new Set(characters).size < 16) return 'must have at least 16 different characters'
  if (entropyOf(characters) < 3.5) return 'must have its characters spread more evenly'
  return null
}

/** Shannon's entropy, in bits per character. */
function entropyOf(characters: readonly string[]) {
  const counts = new Map<string, number>()
  for (const each of characters) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts.values()]
    .map((count) => count / characters.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0)
}

const remedy = 'create one with openssl rand -hex 32'

/** RFC 6750, 2.1: the allowed text after `Bearer`. */
const bearer = /^[\w.~+/-]+=*$/

/** A secret that clients send as a bearer token. Without it, the feature is off. */
export const bearerSecret: Variable<string | undefined> = (given) => {
  if (given === undefined) return { value: undefined }
  const unsendable = bearer.test(given) ? null : 'must be of letters, digits and - . _ ~ + / ='
  const problem = unsendable ?? secretProblem(given)
  return problem === null ? { value: given } : { problem: `${problem}; ${remedy}` }
}
