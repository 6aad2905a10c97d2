import { UnsupportedMediaTypeError } from '../errors/errors.ts'
import type { RawContext } from '../request/raw-context.ts'
import { readBody } from '../request/read-body.ts'
import type { BodyForm, ReceivedBytes } from './declared-body.ts'
import { mediaType, takesType } from './media-type.ts'

/** Makes the reader of a body that isn't JSON. */
export function bodyReader(form: BodyForm) {
  return (c: RawContext) => readBytes(c, form)
}

async function readBytes(c: RawContext, form: BodyForm): Promise<ReceivedBytes> {
  const type = declaredType(c, form)
  return { type, bytes: await readBody(c) }
}

/** Refuses before anything is read. */
function declaredType({ incoming: { headers } }: RawContext, { types }: BodyForm) {
  const type = mediaType(headers['content-type'])
  if (!takesType(types, type)) {
    throw new UnsupportedMediaTypeError({ message: `Send the body as ${types?.join(' or ')}.` })
  }
  if (headers['content-encoding']) {
    throw new UnsupportedMediaTypeError({ message: 'Send the body without a content encoding.' })
  }
  return type
}
