import { sql } from 'drizzle-orm'
import type { Application } from './application.ts'
import type { Exchange } from './wire.ts'

/** Sends what was sent once more, in ways in which it is refused, or fails: whatever is told or logged of it. */
export async function misuse(app: Application, exchanges: readonly Exchange[]): Promise<string[]> {
  const origins = [app.url, app.other.url]
  const ours = exchanges.filter(({ url }) => origins.includes(new URL(url).origin))
  const told = ours.filter(({ status }) => status >= 400).map(textOf)
  const once = [...new Map(ours.map((each) => [new URL(each.url).pathname, each])).values()]
  for (const exchange of once) told.push(...(await refusalsOf(app, exchange)))
  // What a statement was given that fails is in its error.
  await app.auth.db.execute(sql`alter schema svc_auth rename to hidden`)
  try {
    for (const exchange of once) told.push(await again(app, exchange))
  } finally {
    await app.auth.db.execute(sql`alter schema hidden rename to svc_auth`)
  }
  return told
}

const textOf = ({ status, answered }: Exchange) => JSON.stringify([status, answered])

async function refusalsOf(app: Application, exchange: Exchange) {
  const { url, body } = exchange
  const values = stringsIn(body)
  const query = new URLSearchParams(values.map((value) => ['token', value]))
  const named = Object.fromEntries(values.map((value) => [value, 1]))
  const members = { ...named, password: values, token: { values }, code: values, email: values }
  const { origin, pathname } = new URL(url)
  const wrong: Partial<Exchange>[] = [
    { body: body.slice(0, -1) },
    { body: JSON.stringify(members), url: `${origin}${pathname}?${query}` },
    { method: 'PATCH', url: `${origin}/nowhere/${encodeURIComponent(values.at(-1) ?? '')}` },
  ]
  const told: string[] = []
  for (const change of wrong) told.push(await again(app, { ...exchange, ...change }))
  return told
}

async function again(app: Application, { method, url, headers, body }: Exchange) {
  const path = url.replace(new URL(url).origin, '')
  const kept = headers.filter(([name]) => name !== 'x-forwarded-for')
  const sent = ['GET', 'HEAD'].includes(method) || body === '' ? {} : { body }
  // A stream would not end.
  const signal = AbortSignal.timeout(5000)
  const init = { method, headers: kept, redirect: 'manual' as const, signal, ...sent }
  const answer = await app.fetch(path, init)
  if (answer.status < 400) return ''
  return JSON.stringify([answer.status, [...answer.headers], await answer.text()])
}

function stringsIn(body: string): string[] {
  try {
    return JSON.stringify(JSON.parse(body)).match(/(?<=:")[^"]+(?=")/g) ?? []
  } catch {
    return [...new URLSearchParams(body).values()]
  }
}
