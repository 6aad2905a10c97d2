import { html } from '@svc/core/html'
import { readForm } from '../page/read-form.ts'

interface Fields {
  token: string
  csrf: string
}

export function hiddenFields({ token, csrf }: Fields) {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="csrf" value="${csrf}">`.toString()
}

/** What the page's form has sent. */
export async function readFields(request: Request): Promise<Fields> {
  const form = await readForm(request)
  return { token: form.get('token') ?? '', csrf: form.get('csrf') ?? '' }
}
