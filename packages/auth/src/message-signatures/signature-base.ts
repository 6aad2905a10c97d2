import { type InnerList, serializeInnerList } from 'structured-headers'

/** The parts of a request that a signature can cover. */
export interface ReceivedMessage {
  readonly method: string
  /** Path and query as on the request line, after any trusted prefix was taken off. */
  readonly target: string
  /** The origin of this server that the client has called. */
  readonly origin: string
  /** The lines of each header, by its name in lower case. */
  readonly fields: Readonly<Partial<Record<string, readonly string[]>>>
}

/**
 * What was signed (RFC 9421, section 2.5). Null if the request lacks something that is covered, or
 * if it can't be read as plain text.
 */
export function signatureBase(message: ReceivedMessage, input: InnerList): string | null {
  const names = coveredBy(input)
  if (!names) return null
  const lines = names.map((name) => {
    const value = valueOf(message, name)
    return value === null ? null : `"${name}": ${value}`
  })
  if (lines.includes(null)) return null
  return [...lines, `${lastLine}${serializeInnerList(input)}`].join('\n')
}

export const lastLine = '"@signature-params": '

/** The names of what is covered. Null if one is there twice, or has parameters, which no name here has. */
export function coveredBy([items]: InnerList): string[] | null {
  const names = items.flatMap(([name, parameters]) =>
    typeof name === 'string' && parameters.size === 0 ? [name] : [],
  )
  return new Set(names).size === items.length ? names : null
}

function valueOf(message: ReceivedMessage, name: string) {
  const value = name.startsWith('@') ? derived(message, name) : fieldValue(message, name)
  // It must not continue on a line of its own: that would be the line of another name.
  return value !== undefined && oneLine.test(value) ? value : null
}

const oneLine = /^[\t -~]*$/
const lowerCase = /^[a-z0-9!#$%&'*+.^_`|~-]+$/

function fieldValue({ fields }: ReceivedMessage, name: string) {
  const lines = lowerCase.test(name) && Object.hasOwn(fields, name) ? fields[name] : undefined
  // Before `trim`, which takes more for white space than a header may have around it.
  const isPlain = lines?.every((line) => oneLine.test(line)) === true
  return isPlain ? lines.map((line) => line.trim()).join(', ') : undefined
}

/** Components of section 2.2. The others are for responses, or for single parameters of a query. */
function derived({ method, target, origin }: ReceivedMessage, name: string) {
  // The origin form alone: others name a server, which would not be the one that is checked.
  if (!target.startsWith('/')) return undefined
  const { protocol, host } = new URL(origin)
  const [path = ''] = target.split('?', 1)
  const values: Record<string, string> = {
    '@method': method,
    '@target-uri': `${origin}${target}`,
    '@authority': host,
    '@scheme': protocol.slice(0, -1),
    '@request-target': target,
    '@path': path,
    // Without a query it is a question mark alone.
    '@query': target.slice(path.length) || '?',
  }
  return Object.hasOwn(values, name) ? values[name] : undefined
}
