import { type DestinationStream, pino, stdSerializers } from 'pino'

/**
 * The logger, such as `c.log`: `log.info({ orderId }, 'order shipped')`. Passwords, tokens and
 * other secrets are redacted.
 */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child'>

// Every repetition is limited, or ends where another match could begin, so that a hostile line
// can't take quadratic time.
const secretName =
  '[\\w-]{0,40}(?:passwords?|secrets?|tokens?|authorization|cookies?|(?:api|private)[-_]?keys?|(?:password|secret|token)[-_]?hash)|otp|jwt|challenge|(?:recovery|device|user)Codes?'
const text = String.raw`"(?:[^"\\]|\\.)*"`
const secretMember = new RegExp(
  String.raw`"(${secretName})":(?:${text}|-?\d[\d.e+-]*|\[(?:[^"[\]]|${text})*\])`,
  'gi',
)
const secretQuotedMember = new RegExp(
  String.raw`\\"(${secretName})\\": ?\\"(?:[^"\\]|\\[^"])*`,
  'gi',
)
const secretQuery = new RegExp(
  String.raw`([?&;\s"](?:${secretName}|code|state|signature)=)[^&;\s"\\#]+`,
  'gi',
)
const receivedHeader = new RegExp(`"((?:proxy-)?authorization|(?:set-)?cookie)",(?:${text})`, 'gi')
const credential = /\b(Bearer|Basic|DPoP) [\w.~+/=-]{8,}/gi
// The placeholder for a URL in our help and errors. It has no real credentials in it, so it stays
// readable.
const urlPattern = String.raw`:\/\/(?:user|name):(?:password|pass|secret)@host(?::\w{1,5})?(?![^/\s",)])`
const urlPassword = new RegExp(String.raw`(?!${urlPattern})(:\/\/[^:@/\s"]*:)[^/\s"]+(?=@)`, 'g')
// Drizzle's message and stack: the values of a statement, up to where the stack begins. In a JSON
// line, and in plain text.
const statementValues =
  /(\\nparams: )(?:[^"\\]|\\(?!n {4}at ).)*|(\nparams: )(?:[^\n]|\n(?! {4}at ))*/g
// JSON allows these, but a terminal or a line reader obeys them.
const obeyed = /[\u007f-\u009f\u2028\u2029]/g

/**
 * Works on the finished line, so that no nesting, no error and no message can hide a secret from
 * it.
 */
export function redact(line: string) {
  return line
    .replace(statementValues, '$1$2[redacted]')
    .replace(secretMember, '"$1":"[redacted]"')
    .replace(receivedHeader, '"$1","[redacted]"')
    .replace(secretQuotedMember, '\\"$1\\":\\"[redacted]')
    .replace(secretQuery, '$1[redacted]')
    .replace(credential, '$1 [redacted]')
    .replace(urlPassword, '$1[redacted]')
    .replace(obeyed, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** An error in pino's form, without the values of a statement and the row that it was about. */
function withoutValues(thrown: unknown): unknown {
  const told: object = stdSerializers.err(thrown as Error)
  return thrown instanceof Error ? { ...told, params: undefined, detail: undefined } : told
}

// The bytes that wait for a full disk. Further lines are lost.
const mostWaiting = 1_048_576

/**
 * A full disk loses lines, but does not end the process. Without a listener, the error would end
 * it, and the flush at its end would retry for ever.
 */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: false, maxLength: mostWaiting })
  const flush = output.flushSync.bind(output)
  let isFull = false
  output.on('error', () => {
    isFull = true
  })
  output.on('write', () => {
    isFull = false
  })
  output.flushSync = () => {
    if (!isFull) flush()
  }
  return output
}

/** A structured logger: one line of JSON for each entry. */
export function createLogger({
  level = 'info',
  destination = standardOutput(),
}: {
  level?: string
  destination?: DestinationStream
} = {}): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: withoutValues },
      hooks: { streamWrite: redact },
    },
    destination,
  )
}
