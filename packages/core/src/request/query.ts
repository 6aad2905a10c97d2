import { BadRequestError } from '../errors/contract.ts'

type Pairs = Record<string, string | string[]>

/**
 * The query of a request line. A repeated name gives a list, which only an array schema accepts.
 */
export function parseQuery(target: string): Pairs {
  const start = target.indexOf('?')
  return start < 0 ? {} : parsePairs(target.slice(start + 1), 'query')
}

/** `name=value` pairs, of a query or a form. */
export function parsePairs(text: string, place: 'query' | 'body'): Pairs {
  const values: Pairs = {}
  for (const pair of text.split('&')) {
    if (pair) add(values, pair, place)
  }
  return values
}

function add(values: Pairs, pair: string, place: string) {
  const equals = pair.indexOf('=')
  const name = decode(equals < 0 ? pair : pair.slice(0, equals), place)
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1), place)
  if (name === '__proto__') throw new BadRequestError({ message: `The ${place} names __proto__.` })
  const before = values[name]
  if (before === undefined || !Object.hasOwn(values, name)) values[name] = value
  else if (Array.isArray(before)) before.push(value)
  else values[name] = [before, value]
}

function decode(text: string, place: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new BadRequestError({ message: `The ${place} is not valid percent-encoding.` })
  }
}
