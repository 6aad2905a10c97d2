import { UnsupportedMediaTypeError } from '../errors/contract.ts'
import { type RawContext, readBody, spoolBody } from '../request/request.ts'
import type {
  BodyForm,
  Bounds,
  BytesForm,
  MultipartForm,
  ReceivedBytes,
  ReceivedStream,
} from './contract.ts'
import { streamOf, wholeOf } from './file-range.ts'
import { mediaType, takesType } from './media-type.ts'
import { boundaryOf, multipartReader } from './read-multipart.ts'

/** Makes the reader of a body that isn't JSON. */
export function bodyReader(form: BodyForm): (c: RawContext) => Promise<unknown> {
  if (form.kind === 'multipart') {
    const read = multipartReader(form)
    return (c) => readForm(c, form, read)
  }
  return form.kind === 'bytes' ? (c) => readBytes(c, form) : (c) => readStream(c, form)
}

async function readBytes(c: RawContext, form: BytesForm): Promise<ReceivedBytes> {
  const type = declaredType(c, form)
  return { type, bytes: await readBody(c) }
}

async function readStream(c: RawContext, form: BytesForm): Promise<ReceivedStream> {
  const type = declaredType(c, form)
  const range = wholeOf(await spoolBody(c))
  return { type, size: range.end, stream: () => streamOf(range) }
}

async function readForm(
  c: RawContext,
  form: MultipartForm,
  read: ReturnType<typeof multipartReader>,
) {
  declaredType(c, form)
  const boundary = boundaryOf(c.incoming.headers['content-type'])
  return read(wholeOf(await spoolBody(c)), boundary)
}

/** Refuses before the body is read. */
function declaredType({ incoming: { headers } }: RawContext, { types }: Bounds) {
  const type = mediaType(headers['content-type'])
  if (!takesType(types, type)) {
    throw new UnsupportedMediaTypeError({ message: `Send the body as ${types?.join(' or ')}.` })
  }
  if (headers['content-encoding']) {
    throw new UnsupportedMediaTypeError({ message: 'Send the body without a content encoding.' })
  }
  return type
}
