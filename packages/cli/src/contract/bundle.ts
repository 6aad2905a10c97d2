import { readFile } from 'node:fs/promises'
import { CommandFailure } from '../failure.ts'

export type Schema = Readonly<Record<string, unknown>>

/** The same thing before and now. */
export interface Pair<Value> {
  before: Value
  now: Value
}

export interface Operation {
  name: string
  method: string
  path: string
  proof: boolean
  /** By their place: `params`, `body`. */
  input: Record<string, Schema>
  /** By status; `null` if there is no body. */
  answers: Record<string, Schema | null>
}

/** The part of a contract that is compared. */
export interface Bundle {
  contract: string
  contractVersion: string
  profile?: Schema
  operations: Operation[]
  types: Record<string, Schema>
  errors: Record<string, { status: number }>
}

/** A committed contract. `name` is the file's name for messages. */
export async function readBundle(file: string, name: string): Promise<Bundle> {
  const value = parse(await read(file, name))
  if (isBundle(value)) return value
  throw new CommandFailure(
    `${name} is not a contract: write one with "npx @svc/cli contract --out ${name}".`,
  )
}

async function read(file: string, name: string) {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandFailure(
      `${name} cannot be read: write it with "npx @svc/cli contract --out ${name}", or give another file with --against.`,
      { cause },
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isBundle(value: unknown): value is Bundle {
  if (!isObject(value)) return false
  const { contract, contractVersion, operations, types, errors } = value
  return (
    typeof contract === 'string' &&
    typeof contractVersion === 'string' &&
    isObject(types) &&
    isObject(errors) &&
    Array.isArray(operations) &&
    operations.every((each) => isObject(each) && isObject(each.input) && isObject(each.answers))
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
