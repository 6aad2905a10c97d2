import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { envFile, readEnvFile } from '../env.ts'
import { CommandFailure } from '../failure.ts'

// Lines of the file that are not changed stay as they were written.

/** Adds lines at the end. */
export function addToEnvFile(lines: readonly string[]) {
  replaceFile(withLines(existsSync(envFile) ? readFileSync(envFile, 'utf8') : '', lines))
}

function withLines(text: string, lines: readonly string[]) {
  if (lines.length === 0) return text
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `${before}${lines.join('\n')}\n`
}

/** Changes the values of existing variables in their place, and adds the others. */
export function changeInEnvFile(values: Record<string, string>) {
  const lines = readFileSync(envFile, 'utf8').split('\n')
  const added: string[] = []
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findLastIndex((line) =>
      new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line),
    )
    if (at === -1) added.push(assignment(name, value))
    else lines[at] = changed(name, value, lines[at] ?? '')
  }
  // In one write: if a full disk left the new secret without the old one, all users would be signed
  // out.
  replaceFile(withLines(lines.join('\n'), added))
}

function changed(name: string, value: string, line: string) {
  if (parseEnv(line)[name] === readEnvFile()[name]) return assignment(name, value)
  throw new CommandFailure(`${name} in ${envFile} has several lines: write it on one line.`)
}

function assignment(name: string, value: string) {
  if (/^[\w:,.+/=-]*$/.test(value)) return `${name}=${value}`
  const quote = [`'`, '"', '`'].find((each) => !value.includes(each))
  if (quote) return `${name}=${quote}${value}${quote}`
  throw new CommandFailure(`${name} in ${envFile} contains every kind of quote: change it by hand.`)
}

/**
 * In one step: a concurrent reader gets the old file or the new one. Only the file's owner may read
 * it.
 */
function replaceFile(text: string) {
  // A new file with a random name: under a name that an attacker knows, there could be a link to
  // another file.
  const temporary = `${envFile}.${randomUUID()}`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, envFile)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
