import { text } from 'node:stream/consumers'
import type { CallInput } from '@svc/core/client'
import { UsageError } from '../failure.ts'

const parts = ['params', 'query', 'body', 'form', 'headers']

/** What `--json` says: the input of a typed client. `-` reads it from the standard input. */
export async function readInput(
  given: string | undefined,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<CallInput> {
  if (given === undefined) return {}
  const parsed = parse(given === '-' ? await text(input) : given)
  const unknown = Object.keys(parsed).find((member) => !parts.includes(member))
  if (unknown === undefined) return parsed
  throw new UsageError(
    `--json has "${unknown}", and takes ${parts.map((part) => `"${part}"`).join(', ')}. For example: --json '{"params":{"userId":"…"},"body":{}}'`,
  )
}

function parse(given: string): CallInput & Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(given)
  } catch (error) {
    throw new UsageError(`--json is not JSON: ${(error as SyntaxError).message}.`, { cause: error })
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as CallInput & Record<string, unknown>
  }
  throw new UsageError(`--json takes an object, such as '{"query":{"limit":5}}'.`)
}
