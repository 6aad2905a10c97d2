import type { TSchema } from 'typebox'

/** The part of TypeBox's error that is read here. */
interface Fault {
  readonly keyword: string
  readonly schemaPath: string
  readonly params: object
  readonly message: string
}

/** The fault, with the words that would be right: TypeBox has an error for each of them. */
export function faultMessage(schema: TSchema, fault: Fault): string {
  if (fault.keyword === 'required') return 'is required'
  const allowed = allowedBy(schema, fault)
  if (!allowed) return fault.message
  const words = allowed.map((each) => JSON.stringify(each))
  return words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(', ')}`
}

function allowedBy(schema: TSchema, { keyword, schemaPath, params }: Fault): unknown[] | null {
  const { allowedValue, allowedValues } = params as {
    allowedValue?: unknown
    allowedValues?: unknown[]
  }
  if (keyword === 'enum') return allowedValues ?? null
  if (keyword !== 'const') return null
  const union = /^(.*\/anyOf)\/\d+$/.exec(schemaPath)?.[1]
  return union === undefined ? [allowedValue] : constantsOf(at(schema, union))
}

/** Only for a union of words: otherwise other values would be right too. */
function constantsOf(members: unknown) {
  if (!Array.isArray(members)) return null
  const constants = members.map((member: { const?: unknown }) => member.const)
  return constants.includes(undefined) ? null : constants
}

/** The value at a JSON pointer. */
function at(schema: TSchema, pointer: string) {
  const keys = pointer.split('/').slice(1)
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], schema)
}
