import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of this package. */
export const home = resolve(import.meta.dirname, '..')

/** The repository that this command runs from; null if it was installed. */
export const repository = repositoryAt(resolve(home, '../..'))

function repositoryAt(folder: string) {
  return existsSync(join(folder, 'apps/starter/api')) && existsSync(join(home, 'template'))
    ? folder
    : null
}
