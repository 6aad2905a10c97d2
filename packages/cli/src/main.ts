import { readFileSync } from 'node:fs'
import { openApplication } from './application/application.ts'
import { asksForJson, readCommandLine } from './command-line.ts'
import { CommandFailure } from './failure.ts'
import { helpText } from './help.ts'
import { failureJson } from './print-answer.ts'

/**
 * Runs one command line and returns the exit code. It loads nothing heavy before it knows the
 * command.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const invocation = readCommandLine(args)
    if (invocation.kind === 'run') {
      refuseOldNode()
      const { command, flags, argument } = invocation
      if ('runAlone' in command) return await command.runAlone(flags, argument)
      return await command.run(await openApplication(flags), flags, argument)
    }
    console.log(invocation.kind === 'version' ? version() : helpText(invocation.name))
    return 0
  } catch (error) {
    const failure = error instanceof CommandFailure ? error : await foreign(error)
    console.error(asksForJson(args) ? failureJson(failure) : failure.message)
    return failure.exitCode
  }
}

/**
 * An error of the application, the framework or the database. What explains it is loaded only then, because that takes
 * half a second.
 */
async function foreign(error: unknown) {
  const { failureText } = await import('@svc/core')
  return new CommandFailure(failureText(error), { cause: error })
}

function version() {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(manifest).version as string
}

function refuseOldNode() {
  if (process.features.typescript) return
  throw new CommandFailure(
    `svc needs Node 22.18 or newer, which runs TypeScript. This is Node ${process.versions.node}: install a newer one.`,
  )
}
