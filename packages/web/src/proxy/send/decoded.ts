import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { moduleOfNode } from '../../node-host.ts'

/** The content of an answer: the API, or what stands before it, may compress it as the request allows. */
export function decoded(answer: IncomingMessage, codings: string | null): Readable {
  const decoders = codings === null ? [] : decodersOf(codings)
  if (decoders.length === 0) return answer
  // An error of one ends all. The reader of the last one gets it.
  const ended = () => {}
  return moduleOfNode('node:stream')?.pipeline([answer, ...decoders], ended) as Transform // the last of them
}

/** The last coding comes off first. Content in a coding that was not asked for stays as it is. */
function decodersOf(codings: string) {
  const makers = codings.split(',').map((coding) => decoderOf(coding.trim().toLowerCase()))
  const known = makers.filter((make) => make !== undefined)
  return known.length === makers.length ? known.toReversed().map((make) => make()) : []
}

function decoderOf(coding: string): (() => Transform) | undefined {
  const zlib = moduleOfNode('node:zlib')
  if (!zlib) return undefined
  // Each piece of a stream is passed on before the next one, and an answer may be cut before the
  // end of its coding.
  const { Z_SYNC_FLUSH: sync, BROTLI_OPERATION_FLUSH: ofBrotli } = zlib.constants
  if (coding === 'br') {
    return () => zlib.createBrotliDecompress({ flush: ofBrotli, finishFlush: ofBrotli })
  }
  if (/^(?:x-)?gzip$/.test(coding)) {
    return () => zlib.createGunzip({ flush: sync, finishFlush: sync })
  }
  return coding === 'deflate'
    ? () => zlib.createInflate({ flush: sync, finishFlush: sync })
    : undefined
}
