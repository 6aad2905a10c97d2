import { HttpError } from '@svc/core/client'
import { readBytes } from '../proxy/read-input.ts'

/** What a page's form has sent. A body that no form of ours sends has nothing in it. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request))
}

async function readText(request: Request) {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) return ''
  try {
    return new TextDecoder().decode(await readBytes(request))
  } catch (error) {
    if (error instanceof HttpError) return ''
    throw error
  }
}
