import { BadRequestError } from '../errors/errors.ts'

/** The query of a request line. A name that comes several times gives a list, which only an array schema takes. */
export function parseQuery(target: string): Record<string, string | string[]> {
  const start = target.indexOf('?')
  const values: Record<string, string | string[]> = {}
  if (start < 0) return values
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair) add(values, pair)
  }
  return values
}

function add(values: Record<string, string | string[]>, pair: string) {
  const equals = pair.indexOf('=')
  const name = decode(equals < 0 ? pair : pair.slice(0, equals))
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
  if (name === '__proto__') throw new BadRequestError({ message: 'The query names __proto__.' })
  const before = values[name]
  if (before === undefined || !Object.hasOwn(values, name)) values[name] = value
  else if (Array.isArray(before)) before.push(value)
  else values[name] = [before, value]
}

function decode(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new BadRequestError({ message: 'The query is not valid percent-encoding.' })
  }
}
