import { inspect } from 'node:util'
import { headOf, shownPlace } from '../run/run.ts'

/** Why a module could not be imported: its error's own message, and the place in the application. */
export async function explainImportFailure(error: unknown, name: string) {
  const message = error instanceof Error ? error.message : `it threw ${inspect(error)}`
  const place = error instanceof Error ? placeOf(error.stack ?? '') : null
  const { redact } = await import('@svc/core')
  return redact(`${name} does not load: ${message}${place ? `\n  at ${place}` : ''}`)
}

/** The files of this package, and those of the framework if it is a workspace. */
const notTheirs = [
  '/node_modules/',
  folderOf(import.meta.url),
  folderOf(import.meta.resolve('@svc/core')),
]

function folderOf(file: string) {
  return new URL('..', file).href
}

/**
 * A syntax error begins with its place. Other errors have it in a frame, below those of Node and of
 * packages.
 */
function placeOf(stack: string) {
  const head = headOf(stack)
  if (head) return shownPlace(head)
  const frames = stack
    .split('\n')
    .map((line) => /^ {4}at (?:.*\()?((?:file:|\/|[A-Z]:\\).+?:\d+:\d+)\)?$/.exec(line))
  const place = frames
    .flatMap((frame) => frame?.[1] ?? [])
    .find((each) => !notTheirs.some((part) => each.includes(part)))
  return place ? shownPlace(place) : null
}
