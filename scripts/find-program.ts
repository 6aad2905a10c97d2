import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of these programs that is in a folder of PATH, or null. */
export function findProgram(...programs: string[]) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = programs.flatMap((program) => folders.map((folder) => join(folder, program)))
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
