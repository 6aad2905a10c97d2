import {
  BadRequestError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../errors/contract.ts'
import { propertiesOf } from '../schema/schema.ts'
import { type Validator, validator } from '../schema/server.ts'
import type { DeclaredFile, MultipartForm, ReceivedFile } from './contract.ts'
import { type FileRange, readRange, streamOf } from './file-range.ts'
import { mediaType, takesType } from './media-type.ts'
import { multipartParts, type Part } from './multipart-parts.ts'

interface Received {
  readonly fields: Record<string, string>
  readonly files: Record<string, ReceivedFile[]>
}

/**
 * Makes the reader of a whole multipart body: it checks its fields by their schema and its files by
 * their limits.
 */
export function multipartReader({ fields, files }: MultipartForm) {
  const names = new Set(Object.keys(propertiesOf(fields)))
  if (fields && names.size === 0)
    throw new Error('The schema of the fields does not tell their names.')
  const validate = fields && validator(fields, 'body.fields', { isText: true })
  return async (body: FileRange, boundary: string) => {
    const received: Received = { fields: {}, files: {} }
    for await (const part of multipartParts(body, boundary)) {
      if (part.fileName === undefined) await takeField(received, part, names)
      else await takeFile(received, part, files)
    }
    return {
      fields: validate ? await validated(validate, received.fields) : {},
      files: chosen(received.files, files),
    }
  }
}

// The longest text field. A longer one has to be a file.
const longestField = 65_536

async function takeField({ fields }: Received, { name, type, range }: Part, names: Set<string>) {
  const path = `body.fields.${names.has(name) ? name : '*'}`
  if (!names.has(name)) throw refused(path, 'is not a field of this operation')
  if (Object.hasOwn(fields, name)) throw refused(path, 'comes twice')
  if (!/^(?:text\/plain(?:; ?charset="?utf-8"?)?)?$/i.test(type ?? '')) {
    throw new UnsupportedMediaTypeError({ message: `Send the field ${name} as text in UTF-8.` })
  }
  if (range.end - range.start > longestField) throw tooLarge(`field ${name}`, longestField)
  fields[name] = utf8(await readRange(range), path)
}

async function takeFile(received: Received, part: Part, files: MultipartForm['files']) {
  const { name, fileName = '', range } = part
  const size = range.end - range.start
  const declared = Object.hasOwn(files, name) ? files[name] : undefined
  if (!declared) throw refused('body.files.*', 'is not a file of this operation')
  // A browser sends this for an input without a chosen file.
  if (fileName === '' && size === 0) return
  const taken = (received.files[name] ??= [])
  if (taken.length === (declared.atMost ?? 1))
    throw refused(`body.files.${name}`, 'comes too often')
  const type = mediaType(part.type)
  if (type.startsWith('multipart/') || !takesType(declared.types, type)) {
    const types = declared.types?.join(' or ') ?? 'one file'
    throw new UnsupportedMediaTypeError({ message: `Send the file ${name} as ${types}.` })
  }
  if (size > declared.maxBytes) throw tooLarge(`file ${name}`, declared.maxBytes)
  taken.push({
    name: fileName,
    type,
    size,
    stream: () => streamOf(range),
    bytes: () => readRange(range),
  })
}

function chosen(received: Received['files'], files: Record<string, DeclaredFile>) {
  const entries = Object.entries(files).map(([name, { atMost, optional }]) => {
    const taken = received[name] ?? []
    if (taken.length === 0 && !optional) throw refused(`body.files.${name}`, 'is required')
    return [name, atMost === undefined ? taken[0] : taken] as const
  })
  return Object.fromEntries(entries)
}

async function validated(validate: Validator, given: Record<string, string>) {
  const checked = await validate(given)
  if (checked.fields) throw new ValidationError({ fields: checked.fields })
  return checked.value
}

function utf8(bytes: Buffer, path: string) {
  try {
    return new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(path, 'must be UTF-8')
  }
}

function refused(path: string, message: string) {
  return new ValidationError({ fields: [{ path, message }] })
}

function tooLarge(what: string, limitBytes: number) {
  return new PayloadTooLargeError({
    message: `The ${what} is over ${limitBytes} bytes.`,
    limitBytes,
  })
}

// RFC 2046, section 5.1.1.
const inQuotes = /^"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"$/
const asToken = /^([\w'+.-]{1,70})$/

/** The boundary of a `Content-Type`, which may have no other parameter. */
export function boundaryOf(header: string | undefined) {
  const [, value = ''] = /^multipart\/form-data; ?boundary=(.+)$/i.exec(header ?? '') ?? []
  const [, boundary] = asToken.exec(value) ?? inQuotes.exec(value) ?? []
  if (boundary === undefined) {
    throw new BadRequestError({ message: 'The Content-Type must name one valid boundary.' })
  }
  return boundary
}
