import { HttpError } from '@svc/core/client'
import { html } from '@svc/core/html'
import { readBytes } from '../proxy/read-input.ts'

interface Fields {
  token: string
  csrf: string
}

export function hiddenFields({ token, csrf }: Fields) {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="csrf" value="${csrf}">`.toString()
}

/** What the page's form has sent. A body that no form of ours sends has nothing in it. */
export async function readForm(request: Request): Promise<Fields> {
  const form = new URLSearchParams(await readText(request))
  return { token: form.get('token') ?? '', csrf: form.get('csrf') ?? '' }
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
