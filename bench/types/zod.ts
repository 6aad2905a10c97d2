import { type Fields, type Kind, parts, type Shape, sample } from './shapes.ts'

const types: Record<Kind, string> = {
  string: 'z.string()',
  uuid: 'z.uuid()',
  email: 'z.email()',
  integer: 'z.int()',
  number: 'z.number()',
  boolean: 'z.boolean()',
  role: "z.enum(['admin', 'editor', 'viewer'])",
  tags: 'z.array(z.string())',
}

export const zodObject = (fields: Fields, words: Partial<Record<Kind, string>> = {}) =>
  `z.object({ ${Object.entries(fields)
    .map(([name, kind]) => `${name}: ${words[kind] ?? types[kind]}`)
    .join(', ')} })`

/** RPC peers have one input. The parts are its fields. */
export const zodInput = (shape: Shape) =>
  `z.object({ ${parts(shape)
    .map((part) => `${part}: ${zodObject(shape[part] ?? {})}`)
    .join(', ')} })`

export const sampleInput = (shape: Shape) =>
  `{ ${parts(shape)
    .map((part) => `${part}: ${sample(shape[part] ?? {})}`)
    .join(', ')} }`
