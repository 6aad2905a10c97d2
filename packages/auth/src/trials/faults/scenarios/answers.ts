import type { PreparedRequest } from '@svc/core/client'
import type { Ask } from './stage.ts'

/** Where the process was killed before it could say anything. */
export const unheard = 'nothing'

export interface Heard {
  /** The status with the name of the refusal: `200`, `401 InvalidCredentialsError`. */
  said: string
  text: string
}

/** Asks, and says what is heard. */
export async function send(ask: Ask, at: { url: string }): Promise<Heard> {
  const request = await ask(at)
  return heardTo(request).catch(() => ({ said: unheard, text: '' }))
}

async function heardTo({ url, ...request }: PreparedRequest) {
  const answer = await fetch(url, { ...request, redirect: 'manual' })
  const text = await answer.text()
  const refusal = answer.status === 302 ? pageOf(answer) : codeIn(text)
  const isUnready = answer.status === 503 && !answer.headers.has('retry-after')
  const said = [answer.status, refusal, isUnready && 'without Retry-After'].filter(Boolean)
  return { said: said.join(' '), text }
}

const pageOf = ({ headers }: Response) =>
  new URL(headers.get('location') ?? 'none:').searchParams.get('error')

function codeIn(text: string) {
  if (!text.startsWith('{')) return null
  const { error } = JSON.parse(text)
  return typeof error === 'string' ? error : error?.code
}

/** What a failure of the infrastructure is told as; to a browser that stands in between, by a page. */
export const isOutage = (said: string) =>
  said === '503 ServiceUnavailableError' || said === '302 unreachable'

export const isDone = (said: string) => /^(20\d|302)$/.test(said)
