import { existsSync } from 'node:fs'
import { nearestPackage } from '../application/application.ts'
import { envFile, isSet, readEnvFile } from '../env.ts'
import { newKeyId, type Secret, secrets } from '../environment/environment.ts'
import type { Flags } from '../flags.ts'
import { paint } from '../terminal.ts'
import { addToEnvFile } from './env-file.ts'

/** Prints a new value for every secret, or writes the missing ones. */
export async function makeKeys({ env }: Flags) {
  if (env) return writeMissing()
  console.log(
    secrets
      .flatMap((each) => [...linesOf(each), ''])
      .join('\n')
      .trimEnd(),
  )
  return 0
}

function writeMissing() {
  process.chdir(nearestPackage(process.cwd()))
  const isNew = !existsSync(envFile)
  const known = readEnvFile()
  const missing = secrets.filter(({ name }) => !isSet(name, known))
  if (missing.length === 0) {
    console.log(`${envFile} has every secret, so nothing was changed.`)
    return 0
  }
  addToEnvFile(missing.flatMap(linesOf))
  console.log(
    `${paint('green', 'wrote')} ${envFile}: ${missing.map(({ name }) => name).join(', ')}`,
  )
  if (isNew)
    console.log('Do not commit this file. Keep a copy in a safe place outside this machine.')
  return 0
}

function linesOf({ name, of, does, make }: Secret) {
  return [`# ${of}: ${does}`, `${name}=${make(newKeyId())}`]
}
