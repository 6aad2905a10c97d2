import { type IncomingHttpHeaders, request } from 'node:http'
import { app } from './running-web-app.ts'

export interface Asked {
  status: number
  location: string
  setCookie: string[]
  headers: IncomingHttpHeaders
  body: string
}

/** Asks for exactly this path: `fetch` would make `/./account` and `/a/../account` one. It follows no redirect. */
export function ask(path: string, headers: Record<string, string> = {}, web = app.web) {
  const { hostname, port } = new URL(web)
  return new Promise<Asked>((resolve, reject) => {
    const asking = request({ hostname, port, path, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      answer.on('end', () => {
        const { statusCode: status = 0, headers: given } = answer
        const setCookie = given['set-cookie'] ?? []
        resolve({ status, location: given.location ?? '', setCookie, headers: given, body })
      })
    })
    asking.on('error', reject).end()
  })
}

/** Asks for a page as Next's router does: for what it renders into, in place of HTML. */
export async function askForPayload(path: string, headers: Record<string, string> = {}) {
  const given = { ...headers, rsc: '1' }
  const answer = await ask(path, given)
  // Next sends there first, so that no cache takes the payload for the page.
  return answer.location.includes('_rsc') ? ask(answer.location, given) : answer
}

/** Calls an operation as a page does, but for what a page copies from its cookies. */
export function callRpc(name: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${app.web}/api/rpc/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ body }),
  })
}

/** The cookies of a user who signs in. */
export async function cookiesOf({ email, password }: { email: string; password: string }) {
  const answer = await callRpc('login', { email, password })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
