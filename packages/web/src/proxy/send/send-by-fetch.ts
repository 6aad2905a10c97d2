import { picked } from '../forwarded-headers.ts'
import { type ApiAnswer, type ApiRequest, isShort, type Sending } from './exchange.ts'

export async function sendByFetch(
  { url, ...request }: ApiRequest,
  { signal, answered }: Sending,
): Promise<ApiAnswer> {
  const answer = await fetch(url, { ...request, redirect: 'manual', signal })
  const { status, headers } = answer
  return {
    status,
    headers: picked(headers, answered),
    cookies: headers.getSetCookie(),
    body: await bodyOf(answer),
  }
}

/**
 * Some hosts cancel the body of an answer that was garbage-collected, even if it is still used. So
 * this keeps the answer as long as its body.
 */
const owners = new WeakMap<ReadableStream, Response>()

async function bodyOf(answer: Response) {
  const { body, headers } = answer
  if (body === null) return null
  if (isShort(headers.get('content-length'))) return answer.arrayBuffer()
  owners.set(body, answer)
  return body
}
