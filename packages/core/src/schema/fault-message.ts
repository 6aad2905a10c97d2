import type { TSchema } from 'typebox'

/** A fault as TypeBox tells it, as far as it is read here. */
interface Fault {
  readonly keyword: string
  readonly schemaPath: string
  readonly params: object
  readonly message: string
}

/** What is wrong, with the words that would be right: TypeBox says of each of them that it was not the one. */
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

/** Of a union of words alone: where other things would be right too, this is not all there is to say. */
function constantsOf(members: unknown) {
  if (!Array.isArray(members)) return null
  const constants = members.map((member: { const?: unknown }) => member.const)
  return constants.includes(undefined) ? null : constants
}

/** What a JSON pointer points at. */
function at(schema: TSchema, pointer: string) {
  const keys = pointer.split('/').slice(1)
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], schema)
}
