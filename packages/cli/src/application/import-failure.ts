import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

/** Why a module could not be imported: its error's own message, and the place in the application. */
export async function explainImportFailure(error: unknown, name: string) {
  const message = error instanceof Error ? error.message : `it threw ${inspect(error)}`
  const place = error instanceof Error ? placeOf(error.stack ?? '') : null
  const { redact } = await import('@svc/core')
  return redact(`${name} does not load: ${message}${place ? `\n  at ${place}` : ''}`)
}

/** This package's files, and the framework's where it is a workspace. */
const notTheirs = [
  '/node_modules/',
  folderOf(import.meta.url),
  folderOf(import.meta.resolve('@svc/core')),
]

function folderOf(file: string) {
  return new URL('..', file).href
}

/** A syntax error begins with its place; other errors have it in a frame, below those of Node and of packages. */
function placeOf(stack: string) {
  const lines = stack.split('\n')
  const head = /^(file:.+|\/.+|[A-Z]:\\.+):\d+$/.exec(lines[0] ?? '')
  if (head) return shown(head[0])
  const frames = lines.map((line) =>
    /^ {4}at (?:.*\()?((?:file:|\/|[A-Z]:\\).+?:\d+:\d+)\)?$/.exec(line),
  )
  const place = frames
    .flatMap((frame) => frame?.[1] ?? [])
    .find((each) => !notTheirs.some((part) => each.includes(part)))
  return place ? shown(place) : null
}

function shown(place: string) {
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  const fromHere = relative(process.cwd(), path)
  return isAbsolute(fromHere) || fromHere.startsWith('..') ? path : fromHere
}
