import { type CommandFailure, isRefusal, type Refusal } from './failure.ts'
import { aligned, jsonText, paint, printable } from './terminal.ts'

/** Rows below their header, in columns. */
export function printTable(header: string[], rows: string[][]) {
  const [first = [], ...lines] = aligned([header, ...rows.map((row) => row.map(printable))])
  console.log(
    [first.map((cell) => paint('bold', cell)), ...lines]
      .map((row) => row.join('   ').trimEnd())
      .join('\n'),
  )
}

/** What the API answered, for scripts. Ends the command with its exit code. */
export function printJson(answer: unknown) {
  console.log(jsonText(answer))
  return 0
}

/** Why a command failed, for scripts. What the API refused has its name, status and fields. */
export function failureJson({ name, message, cause }: CommandFailure) {
  return jsonText({ error: { ...(isRefusal(cause) ? factsOf(cause) : { name }), message } })
}

function factsOf({ name, status, ...facts }: Refusal) {
  return { name, status, ...facts }
}

/** A sentence, with names that users chose. Ends the command with its exit code. */
export function printText(text: string) {
  console.log(printable(text))
  return 0
}
