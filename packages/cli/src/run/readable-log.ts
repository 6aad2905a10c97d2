import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Entry {
  level: string
  msg?: string
  source?: string
  migration?: string
  method?: string
  url?: string
  status?: number
  hint?: string
  err?: { type?: string; message?: string; stack?: string }
  [name: string]: unknown
}

type Write = (line: string) => void

/** Writes the log of a server for a reader in a terminal. Other lines stay unchanged. */
export function readableLog(write: Write) {
  const applied = new Map<string, string[]>()

  /** A new database needs all migrations at once: one line says so. */
  function writeApplied() {
    if (applied.size === 0) return
    const each = [...applied].map(([source, names]) =>
      source === 'app' ? names.join(', ') : `${names.length} of ${source}`,
    )
    applied.clear()
    write(`migrations applied: ${each.join(', ')}`)
  }

  return {
    write(line: string) {
      const entry = entryOf(line)
      if (entry?.msg === 'migration applied' && entry.source && entry.migration) {
        applied.set(entry.source, [...(applied.get(entry.source) ?? []), entry.migration])
        return
      }
      writeApplied()
      for (const each of entry ? linesOf(entry).map(harmless) : [line]) write(each)
    },
    end: writeApplied,
  }
}

/** JSON has escaped characters that a terminal obeys, and a request may have brought them. */
function harmless(line: string) {
  return line.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function entryOf(line: string): Entry | null {
  if (!line.startsWith('{"level":"')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function linesOf({ level, time: _, msg = '', hint, err, method, url, status, ...facts }: Entry) {
  const head = [
    ...(level === 'info' ? [] : [`${level}:`]),
    msg,
    // The subject of a line. A url alone is a fact like any other.
    ...(method ? [method, url, status] : Object.entries(url ? { url } : {}).map(pair)),
    ...Object.entries(facts).map(pair),
  ]
  const more = [...(hint ? [hint] : []), ...(err ? failureLines(err) : [])]
  return [head.filter((part) => part !== undefined).join(' '), ...more.map((each) => `  ${each}`)]
}

function pair([name, value]: [string, unknown]) {
  return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
}

const frame = /^\s+at /

/** An error with the lines of its stack that are the application's own. */
function failureLines({ type = 'Error', message = '', stack = '' }: NonNullable<Entry['err']>) {
  const lines = stack.split('\n')
  const from = lines.findIndex((line) => frame.test(line))
  const frames = from < 0 ? [] : lines.slice(from)
  const isOwn = (line: string) => !frame.test(line) || isOwnFrame(line)
  const hasOwn = frames.some((line) => frame.test(line) && isOwnFrame(line))
  return [
    ...`${type}: ${message}`.split('\n'),
    ...(hasOwn ? frames.filter(isOwn) : frames).map(withShortPlace),
  ]
}

function isOwnFrame(line: string) {
  return !/node_modules|\(?node:|<anonymous>\)?$/.test(line)
}

/** A place as you would type it in the folder of the application. */
function withShortPlace(line: string) {
  return line.replace(/file:\/\/[^\s)]+?(?=:\d+:\d+)/, (url) => {
    const path = relative('.', fileURLToPath(url))
    return path.startsWith('..') ? path : path.replaceAll(sep, '/')
  })
}
