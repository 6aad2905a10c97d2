import { UnsupportedMediaTypeError } from '../errors/errors.ts'
import type { RawContext } from '../request/raw-context.ts'
import { readBody } from '../request/read-body.ts'
import { spoolBody } from '../request/spool-body.ts'
import type { BodyForm, ReceivedBytes, ReceivedStream } from './declared-body.ts'
import { streamOf, wholeOf } from './file-range.ts'
import { mediaType, takesType } from './media-type.ts'

/** Makes the reader of a body that isn't JSON. */
export function bodyReader(form: BodyForm) {
  const read = readers[form.kind]
  return (c: RawContext) => read(c, form)
}

const readers = { bytes: readBytes, stream: readStream }

async function readBytes(c: RawContext, form: BodyForm): Promise<ReceivedBytes> {
  const type = declaredType(c, form)
  return { type, bytes: await readBody(c) }
}

async function readStream(c: RawContext, form: BodyForm): Promise<ReceivedStream> {
  const type = declaredType(c, form)
  const range = wholeOf(await spoolBody(c))
  return { type, size: range.end, stream: () => streamOf(range) }
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
