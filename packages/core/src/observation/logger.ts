import { type DestinationStream, pino, stdSerializers } from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child'>

// Every repetition is bounded, or ends where another match could begin: a hostile line must not cost its square.
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
// What to write for an address, in help and in errors of ours: these words, with nothing of anybody's in them.
const urlPattern = String.raw`:\/\/(?:user|name):(?:password|pass|secret)@host(?::\w{1,5})?(?![^/\s",)])`
const urlPassword = new RegExp(String.raw`(?!${urlPattern})(:\/\/[^:@/\s"]*:)[^/\s"]+(?=@)`, 'g')
// Drizzle's message and stack: the values of a statement, which end where the stack begins. In a line, and in plain text.
const statementValues =
  /(\\nparams: )(?:[^"\\]|\\(?!n {4}at ).)*|(\nparams: )(?:[^\n]|\n(?! {4}at ))*/g
// JSON leaves these as they are, and a terminal or a reader of lines obeys them.
const obeyed = /[\u007f-\u009f\u2028\u2029]/g

/** Works on the finished line, so that no nesting, no error and no message can carry a secret past it. */
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

/** An error as pino tells it, but for the values that a statement was given and the row that it was about. */
function withoutValues(thrown: unknown): unknown {
  const told: object = stdSerializers.err(thrown as Error)
  return thrown instanceof Error ? { ...told, params: undefined, detail: undefined } : told
}

// What waits for a disk that is full; lines beyond it are lost.
const mostWaiting = 1_048_576

/**
 * A disk that is full costs lines, not the process: unheard, the error would end it, and the flush at its end would try
 * again for ever.
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

/** A structured logger, one JSON line an entry. */
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
