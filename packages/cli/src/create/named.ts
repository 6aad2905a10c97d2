import { UsageError } from '../failure.ts'
import type { StarterFiles } from './starter.ts'

/**
 * Dependencies of every application. With such a name, npm's lock file and messages would confuse
 * the two packages.
 */
const taken = ['next', 'react']

/** Checks that npm accepts the name, also in the names of the application's parts. */
export function checkName(name: string) {
  if (taken.includes(name)) {
    throw new UsageError(
      `"${name}" cannot be an application's name: the application depends on the package "${name}". Choose another name for the folder, such as my-app.`,
    )
  }
  if (/^[a-z][a-z0-9-]{0,99}$/.test(name)) return
  throw new UsageError(
    `"${name}" cannot be an application's name: use lowercase letters, digits and "-", such as my-app.`,
  )
}

/** The starter's files, for an application with this name. */
export function named(files: StarterFiles, name: string): StarterFiles {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
  const renamed = (text: string) =>
    text
      .replaceAll(/\bstarter-(api|web)\b/g, `${name}-$1`)
      .replaceAll('svc-starter', name)
      .replaceAll('Svc starter', title)
      .replace('"name": "starter"', `"name": "${name}"`)
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, renamed(text)]))
}
