import type { DeclaredFile, MultipartForm } from '../bodies/contract.ts'
import { jsonSchemaOf, propertiesOf } from '../schema/schema.ts'

/** A multipart body as OpenAPI 3.1 describes it ("Special Considerations for multipart Content"). */
export function formContent({ fields, files }: MultipartForm) {
  const all = Object.entries(files)
  const asked = all.filter(([, { optional }]) => !optional).map(([name]) => name)
  const ofFields = (fields && (jsonSchemaOf(fields).required as string[] | undefined)) ?? []
  const encoding = all.flatMap(([name, { types }]) =>
    types ? [[name, { contentType: types.join(', ') }] as const] : [],
  )
  return {
    schema: {
      type: 'object',
      properties: {
        ...propertiesOf(fields),
        ...Object.fromEntries(all.map(([name, file]) => [name, fileSchema(file)])),
      },
      required: [...ofFields, ...asked],
      additionalProperties: false,
    },
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  }
}

function fileSchema({ atMost, optional, maxBytes }: DeclaredFile) {
  const description = `A file of at most ${maxBytes} bytes.`
  if (atMost === undefined) return { description }
  return { type: 'array', items: { description }, minItems: optional ? 0 : 1, maxItems: atMost }
}
