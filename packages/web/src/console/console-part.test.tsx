import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js'
import { redirect } from 'next/navigation.js'
import { isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Console, ConsoleLayout, type ConsolePart, consoleMetadata } from '../console-next.ts'
import { startTestWeb } from '../test-browser.ts'
import { PersonView } from './person/person-view.tsx'
import { PersonLabel } from './person-label.tsx'

const request = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => request.headers }))

const web = await startTestWeb()
afterAll(web.api.stop)
beforeEach(() => {
  // The API's clock stands still, and a page signs with the machine's.
  web.api.clock.set(new Date())
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

async function signIn(user: { email: string; password: string }) {
  const browser = web.browser()
  await browser.call('login', user)
  request.headers = new Headers({ cookie: browser.cookieHeader() })
}
await signIn(await web.api.createUser())

const asked: unknown[] = []
const partOf = (name: string, needs: string): ConsolePart => ({
  name,
  needs,
  title: 'Shops',
  label: <b>Läden</b>,
  page(given) {
    asked.push(given)
    return 'the pages of shops'
  },
})
/** The first one is for each user who is signed in, the other one for operators. */
const [open, closed] = [partOf('shops', 'auth:self:manage'), partOf('banks', 'user:read')]
const parts = [closed, open]

/** What the server renders of it: the functions of a page are called one after the other. */
async function rendered(node: ReactNode): Promise<ReactNode> {
  if (!isValidElement<object>(node) || typeof node.type !== 'function') return node
  // It runs in a browser.
  if (node.type === PersonView) return node
  const component = node.type as (props: object) => ReactNode
  return rendered(await component(node.props))
}

const searchParams = Promise.resolve({ text: 'a' })
const show = async (console: string[] | undefined, given: object = {}) => {
  const params = Promise.resolve({ ...(console && { console }) })
  return rendered(await Console({ params, searchParams, parts, ...given }))
}
const digestOf = (shown: Promise<unknown>) =>
  shown.then(
    () => 'shown',
    (thrown: unknown) => (thrown as { digest?: string }).digest,
  )

describe('a further part of the console', () => {
  it('is given the place below it in the address', async () => {
    expect(await show(['shops', '7', 'rows'], { path: '/staff' })).toBe('the pages of shops')
    expect(asked.splice(0)).toEqual([{ path: '/staff/shops', rest: ['7', 'rows'], searchParams }])
    expect(
      await consoleMetadata({ params: Promise.resolve({ console: ['shops'] }), parts }),
    ).toEqual({ title: 'Shops' })
  })

  it('is neither rendered nor called for a user without its permission', async () => {
    const denied = (permission: string) => `You lack ${permission}`
    expect(await show(['banks'], { denied })).toBe('You lack user:read')
    expect(await digestOf(show(['banks', '7']))).toContain(';/;307')
    expect(asked).toEqual([])
  })

  it('is where a user begins who may see no other one', async () => {
    expect(await digestOf(show(undefined))).toContain(';/admin/shops;307')
  })

  it('replaces none of ours, and is not there without its name', async () => {
    const denied = (permission: string) => `You lack ${permission}`
    expect(await show(['people'], { denied, parts: [{ ...open, name: 'people' }] })).toBe(
      'You lack user:read',
    )
    expect(await digestOf(show(['nothing']))).toContain('404')
    expect(await digestOf(show(['constructor']))).toContain('404')
    expect(asked).toEqual([])
  })

  it('has a tab for users with its permission', async () => {
    const tabs = [{ href: '/admin/own', label: 'Own' }]
    const layout = await ConsoleLayout({ children: 'a page', parts, tabs, path: '/staff' })
    const html = renderToStaticMarkup(
      <PathnameContext value="/staff/shops/7">{layout}</PathnameContext>,
    )
    expect(html).toMatch(/aria-current="page"[^>]* href="\/staff\/shops"><b>Läden<\/b>/)
    expect(html).toContain('href="/admin/own"')
    expect(html).not.toContain('banks')
  })

  it('shows something on the page of a user, to operators with its permission', async () => {
    const headers = request.headers
    await signIn(await web.api.createUser({ role: 'superadmin' }))
    const { userId } = await web.api.createUser()
    const of: unknown[] = []
    const ofPerson = (given: object) => of.push(given)
    const shown = [
      { ...closed, ofPerson },
      { ...partOf('planets', 'planet:read'), ofPerson },
    ]
    await show(['people', userId], { path: '/staff', parts: [...shown, open] })
    expect(of).toEqual([{ userId, path: '/staff/banks' }])
    request.headers = headers
  })

  it('leaves the rest of the page of a user where it fails, under a code that is in the log', async () => {
    const headers = request.headers
    await signIn(await web.api.createUser({ role: 'superadmin' }))
    const { userId } = await web.api.createUser()
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const further = async (...ofPerson: NonNullable<ConsolePart['ofPerson']>[]) => {
      const given = ofPerson.map((each, at) => ({
        ...partOf(`${at}`, 'user:read'),
        ofPerson: each,
      }))
      const view = await show(['people', userId], { parts: given })
      if (!isValidElement<{ further: ReactNode }>(view)) throw new Error('The page is not there.')
      return renderToStaticMarkup(view.props.further)
    }
    const failure = new Error('no bank')
    const html = await further(
      async () => Promise.reject(failure),
      () => {
        throw Object.assign(new Error('refused'), { requestId: 'request-7' })
      },
      async () => 'its shops',
    )
    expect(html).toMatch(/role="alert".*role="alert".*its shops/)
    expect(html).toContain('Failed <code>request-7</code>')
    expect(html).not.toContain('no bank')
    const [, code = ''] = /<code>([\da-f-]{36})<\/code>/.exec(html) ?? []
    expect(logged).toHaveBeenCalledWith(expect.stringContaining(code), failure)
    expect(logged).toHaveBeenCalledTimes(2)
    // What Next does by an error is not one.
    expect(await digestOf(further(() => redirect('/elsewhere')))).toContain(';/elsewhere;307')
    logged.mockRestore()
    request.headers = headers
  })
})

describe('links between pages of the console', () => {
  const account = { userId: '7', name: 'ada@example.com', isDeleted: false }
  const label = <PersonLabel id="7" account={account} />
  const router = { refresh() {}, push() {}, replace() {}, prefetch() {}, back() {}, forward() {} }
  const shown = async (given: object, children: ReactNode = label) =>
    renderToStaticMarkup(
      <AppRouterContext value={router as never}>
        <PathnameContext value="/staff/audit">
          {await ConsoleLayout({ children, ...given })}
        </PathnameContext>
      </AppRouterContext>,
    )

  it('lead to where the application has put them, and not to one that it leaves out', async () => {
    expect(await shown({})).toContain('href="/admin/people/7"')
    expect(await shown({ paths: { people: '/staff/people' } })).toContain('href="/staff/people/7"')
    const without = await shown({ paths: { people: null } })
    expect(without).toContain('ada@example.com')
    expect(without).not.toContain('/people/7')
  })
  it('lead from a user to their trail there', async () => {
    const headers = request.headers
    await signIn(await web.api.createUser({ role: 'superadmin' }))
    const { userId } = await web.api.createUser()
    const page = await show(['people', userId])
    expect(await shown({ paths: { audit: '/staff/trail' } }, page)).toContain(
      `href="/staff/trail?actor=${userId}"`,
    )
    expect(await shown({ paths: { audit: null } }, page)).not.toContain('?actor=')
    request.headers = headers
  })
})
