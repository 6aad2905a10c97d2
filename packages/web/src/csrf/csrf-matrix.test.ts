import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { testSecret } from '../test-browser.ts'
import { requestOf, startItemsWeb } from '../test-items.ts'

const { api, reached, signedIn, proxyWith } = await startItemsWeb()
afterAll(api.stop)

const user = await api.createUser()
const page = await signedIn(user)
const before = tokenOf(page)
if (!(await page.call('rotateKey')).ok) throw new Error('The key was not rotated.')
const right = tokenOf(page)
const session = page.cookies.get('svc_session')
const sameUser = tokenOf(await signedIn(user))
const otherUser = tokenOf(await signedIn())
const { keyId } = await (await page.call('getAuthSession')).json()

function tokenOf({ cookies }: typeof page) {
  const token = cookies.get('svc_csrf')
  if (token === undefined) throw new Error('No token came.')
  return token
}

const wrong = right.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

/** What is in the header, and in the cookie unless that is as it should be. */
const tokens: Record<string, { header?: string; cookie?: string | null }> = {
  right: { header: right },
  'right, without its cookie': { header: right, cookie: null },
  'right, beside a wrong cookie': { header: right, cookie: wrong },
  missing: {},
  'missing in both': { cookie: null },
  empty: { header: '' },
  wrong: { header: wrong },
  'wrong, and equal to the cookie': { header: wrong, cookie: wrong },
  'of another account': { header: otherUser },
  'of another account, and equal to the cookie': { header: otherUser, cookie: otherUser },
  'of another session': { header: sameUser },
  'of before the rotation': { header: before },
  'of before the rotation, and equal to the cookie': { header: before, cookie: before },
  'in upper case': { header: right.toUpperCase() },
  'of 63 characters': { header: right.slice(1) },
  'of 65 characters': { header: `${right}0` },
  'sent twice': { header: `${right}, ${right}` },
  'under the secret itself': {
    header: createHmac('sha256', testSecret).update(keyId).digest('hex'),
  },
}

const operations = [
  { name: 'getItem', method: 'GET', wire: 'GET' },
  { name: 'getItem', method: 'GET', wire: 'POST' },
  { name: 'postItem', method: 'POST', wire: 'POST' },
  { name: 'putItem', method: 'PUT', wire: 'POST' },
  { name: 'patchItem', method: 'PATCH', wire: 'POST' },
  { name: 'deleteItem', method: 'DELETE', wire: 'POST' },
] as const

const modes = ['off', 'warn', 'enforce', undefined] as const

const cells = modes.flatMap((mode) =>
  operations.flatMap((operation) => [
    { mode, ...operation, who: 'a signed-in user' },
    { mode, ...operation, who: 'a signed-out browser' },
  ]),
)

interface Cell {
  mode: (typeof modes)[number]
  method: string
  who: string
}

/** The rule as the specification has it, in words of its own: status, calls that reach the API, lines of the log. */
function expected({ mode = 'warn', method, who }: Cell, header: string | undefined) {
  if (who === 'a signed-out browser') return '401, 0 reached, 0 logged'
  const isForged = method !== 'GET' && header !== right
  if (isForged && mode === 'enforce') return '403, 0 reached, 0 logged'
  if (isForged && mode === 'warn') return '200, 1 reached, 1 logged'
  return '200, 1 reached, 0 logged'
}

beforeEach(() => api.clock.set(new Date()))

describe('a call is let through or refused by mode, method, session and token', () => {
  it.each(orFew(cells, 17))(
    '$mode: $name of $who by $wire (A-337, A-338, A-339, A-340, A-341)',
    async ({ name, wire, ...cell }) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      const { POST } = proxyWith({ SVC_AUTH_CSRF: cell.mode })
      const svc_session = cell.who === 'a signed-out browser' ? undefined : session
      const outcome = async ({ header, cookie = right }: (typeof tokens)[string]) => {
        reached.length = 0
        warn.mockClear()
        const cookies = { svc_session, svc_csrf: cookie ?? undefined }
        const answer = await POST(
          requestOf(name, { wire, cookies, headers: { 'x-svc-csrf': header } }),
        )
        return `${answer.status}, ${reached.length} reached, ${warn.mock.calls.length} logged`
      }

      for (const [token, sent] of Object.entries(tokens)) {
        expect([token, await outcome(sent)]).toEqual([token, expected(cell, sent.header)])
      }
    },
  )
})
