import { BadRequestError } from '../errors/contract.ts'

/** The content of the head of a part. */
export interface PartHead {
  readonly name: string
  /** Set for a file, also if it is empty. */
  readonly fileName: string | undefined
  /** The `Content-Type` as it was sent. */
  readonly type: string | undefined
}

// In the form that browsers write: quotes and line ends are percent-encoded. A backslash, another
// order, a repeated parameter and `filename*` can be read in two ways, and a proxy in front may
// have chosen the other one.
const disposition = /^form-data; name="([^"\\]{1,200})"(?:; filename="([^"\\]{0,255})")?$/

/** Reads the lines between a delimiter and an empty line. */
export function readPartHead(bytes: Buffer): PartHead {
  const lines = headersOf(bytes)
  const type = lines.get('content-type')
  const [, name, fileName] = disposition.exec(lines.get('content-disposition') ?? '') ?? []
  if (name === undefined) throw malformed()
  return { name, fileName, type }
}

const known = new Set(['content-disposition', 'content-type'])

function headersOf(bytes: Buffer) {
  const headers = new Map<string, string>()
  for (const line of textOf(bytes).split('\r\n')) {
    // A CR or an LF alone ends a line for some readers and not for others, so this matches neither.
    const [, name = '', value = ''] = /^([a-z-]+): ?(\S.*)$/i.exec(line) ?? []
    const key = name.toLowerCase()
    if (!known.has(key) || headers.has(key)) throw malformed()
    headers.set(key, value)
  }
  return headers
}

/** Refuses characters that a log or a terminal would obey. */
function textOf(bytes: Buffer) {
  try {
    const text = new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    if (!/[\0-\x09\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return text
  } catch {
    // Refused below, like control characters.
  }
  throw malformed()
}

function malformed() {
  return new BadRequestError({ message: 'The head of a part of the body is not valid.' })
}
