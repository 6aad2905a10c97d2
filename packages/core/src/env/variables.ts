import type { Variable } from './define-env.ts'
import { parseDuration } from './duration.ts'

export const required: Variable<string> = (given) =>
  given === undefined ? { problem: 'is required' } : { value: given }

export const optional: Variable<string | undefined> = (given) => ({ value: given })

export function text(initial: string): Variable<string> {
  return (given) => ({ value: given ?? initial })
}

interface Range<Initial> {
  initial: Initial
  min?: number
  max?: number
}

export function integer<Initial extends number | undefined = number>({
  initial,
  min = -Infinity,
  max = Infinity,
}: Range<Initial>): Variable<number | Initial> {
  return (given) => {
    if (given === undefined) return { value: initial }
    const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN
    return value >= min && value <= max
      ? { value }
      : { problem: `must be a whole number${rangeWords(min, max)}` }
  }
}

function rangeWords(min: number, max: number) {
  if (max === Infinity) return min === -Infinity ? '' : ` of at least ${min}`
  return ` from ${min} to ${max}`
}

/** The first choice is the one taken when the variable is not set. */
export function oneOf<const Choice extends string>(...choices: [Choice, ...Choice[]]) {
  const variable: Variable<Choice> = (given) => {
    if (given === undefined) return { value: choices[0] }
    const value = choices.find((choice) => choice === given)
    return value ? { value } : { problem: `must be one of: ${choices.join(', ')}` }
  }
  return variable
}

export function flag<Initial extends boolean | undefined>(initial: Initial) {
  const variable: Variable<boolean | Initial> = (given) => {
    if (given === undefined) return { value: initial }
    if (/^(?:1|true|on|yes)$/i.test(given)) return { value: true }
    if (/^(?:0|false|off|no)$/i.test(given)) return { value: false }
    return { problem: 'must be on or off' }
  }
  return variable
}

/** `7d`, `12h`, `45m`, `30s` or `500ms`, as milliseconds. */
export function duration(initial: string): Variable<number> {
  return (given) => {
    const millis = parseDuration(given ?? initial)
    // What lives for no time could never be used.
    return millis === null || millis === 0
      ? { problem: 'must be a duration such as 7d, 12h or 45m' }
      : { value: millis }
  }
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
export const webAddress: Variable<string | undefined> = (given) =>
  given === undefined || /^https?:$/.test(URL.parse(given)?.protocol ?? '')
    ? { value: given }
    : { problem: 'must be an address such as https://api.example.com' }

/** A path of the web app, such as `/account`, that no reader takes for another one or for another host. */
export function appPath(initial: string): Variable<string> {
  return (given) => {
    const path = given ?? initial
    // `//host`, `\`, `..` and tabs are what a parser changes.
    return URL.parse(path, 'http://app.invalid')?.href === `http://app.invalid${path}`
      ? { value: path }
      : { problem: 'must be a path of the web app, such as /account' }
  }
}
