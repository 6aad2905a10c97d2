import { createInterface } from 'node:readline/promises'
import { UsageError } from '../failure.ts'

const phrase = 'sign out everyone'

interface Asked {
  /** Whether `--yes` was given. */
  isGiven: boolean
  input?: NodeJS.ReadableStream & { isTTY?: boolean }
  output?: NodeJS.WritableStream
}

/** Whether the user confirms: with the flag, or by typing the phrase on a terminal. */
export async function confirmed({
  isGiven,
  input = process.stdin,
  output = process.stdout,
}: Asked): Promise<boolean> {
  if (isGiven) return true
  if (!input.isTTY) {
    throw new UsageError(
      'Nothing has changed. There is no terminal to ask on: add --yes to sign everyone out.',
    )
  }
  const terminal = createInterface({ input, output })
  // Ctrl-D is an answer too.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const question = terminal.question(`Type "${phrase}" to continue: `)
  const answer = await Promise.race([question, closed])
  terminal.close()
  return answer.trim().toLowerCase() === phrase
}
